"""The installation as its administrator looks after it: its state, its users, its backups."""
