"""Whether documents agree with the books and with each other."""
