"""The formats of bank statements, read without knowing the books."""
