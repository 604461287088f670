"""The charts of accounts for new workspaces, as data."""
