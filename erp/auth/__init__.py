"""Signing in: `routes.py` is the table of contents."""
