"""The books: `routes.py` is the table of contents."""
