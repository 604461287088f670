"""The database files: opening them, records, the program's words of SQL, and the log of changes."""
