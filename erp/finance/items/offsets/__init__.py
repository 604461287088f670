"""Offsets: what a contact owes set against what it is owed, by one entry and without a bank."""
