"""Full-text search over a workspace: an index of words, and the rows that remain to be compared."""
