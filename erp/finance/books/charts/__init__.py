"""The charts of accounts that a workspace can start with, as data."""
