"""People: `routes.py` is the table of contents."""
