"""Kinds of leave with their rules: annual leave, sick leave, and what else the office grants."""
