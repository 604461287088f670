"""The database files: how they are opened, what every record has, the SQL of its own, and the log of changes."""
