"""A workspace as a file: exported, imported, duplicated."""
