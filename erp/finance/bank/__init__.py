"""What the bank says: statements, their lines, and what of the books each line is."""
