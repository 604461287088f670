"""Checks of documents against the books and each other."""
