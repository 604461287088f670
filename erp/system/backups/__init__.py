"""Backups: making, checking, rotating, restoring."""
