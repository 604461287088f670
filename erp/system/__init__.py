"""The installation for its administrator: its state, its users, its backups."""
