"""Closing: the lock of the books and their fiscal years."""
