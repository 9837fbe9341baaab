"""The papers' tables and figures of trained models, one module each: from cells to Markdown."""
