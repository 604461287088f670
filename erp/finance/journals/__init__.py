"""Journal entries posted by hand."""
