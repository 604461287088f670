"""The database files: how they are opened, what every record has, and the log of changes."""
