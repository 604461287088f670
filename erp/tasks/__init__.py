"""Tasks and time: `routes.py` is the table of contents."""
