"""Full-text search over what a workspace holds: an index of words, and which rows it leaves to compare."""
