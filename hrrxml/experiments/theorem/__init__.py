"""GLaS's Theorem 2.1: how few dimensions do label vectors need?"""
