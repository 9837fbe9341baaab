"""A local page and a REST API that show what classifiers say, and what binding does.

`hrrxml serve MODEL` starts it. It needs the packages of the extra `[serve]`.
"""
