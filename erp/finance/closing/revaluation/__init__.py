"""Revaluation: what is open and held in foreign currencies, at what it is worth on a day."""
