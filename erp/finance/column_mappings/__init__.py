"""Files of other programs: which of their columns are which of our fields, kept for the next file."""
