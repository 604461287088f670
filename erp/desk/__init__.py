"""The desk: changes, pending decisions, files and search, across every area."""
