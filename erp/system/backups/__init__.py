"""Backups: made, checked, rotated, restored."""
