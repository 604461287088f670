"""Projects: `routes.py` is the table of contents."""
