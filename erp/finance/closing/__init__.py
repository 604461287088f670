"""Closing the books: their lock and their fiscal years."""
