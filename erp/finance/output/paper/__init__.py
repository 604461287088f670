"""Documents on paper: what is printed on them, in which words, and where."""
