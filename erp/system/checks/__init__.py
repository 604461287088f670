"""Checks of a file: SQLite, schema, chain of events, books, pay and leave."""
