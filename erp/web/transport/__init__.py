"""Savings in transport: answers that a reader already has, and compression; and files as bodies."""
