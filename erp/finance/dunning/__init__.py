"""Reminders: which customers owe money for too long, the letters to them, and what those letters charge."""
