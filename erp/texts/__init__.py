"""Texts of papers and mail: ours, and those that a workspace has changed."""
