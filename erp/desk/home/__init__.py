"""The home page: everything that waits for the caller, in one answer."""
