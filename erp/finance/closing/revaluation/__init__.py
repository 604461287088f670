"""Revaluation of open items and accounts in foreign currencies at the end of a day."""
