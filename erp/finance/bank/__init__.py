"""Bank statements, their lines, and the matches of lines with the books."""
