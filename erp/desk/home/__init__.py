"""The home page: what waits for the caller, in one answer."""
