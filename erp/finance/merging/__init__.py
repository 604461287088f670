"""Merging duplicates of contacts, and undoing it."""
