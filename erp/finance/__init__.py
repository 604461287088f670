"""The books and trade; `routes` is the table of contents."""
