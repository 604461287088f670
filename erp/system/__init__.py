"""The installation as its admin looks after it: how it is, who its users are, its backups."""
