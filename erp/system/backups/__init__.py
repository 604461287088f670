"""Backups: made, checked, kept, restored."""
