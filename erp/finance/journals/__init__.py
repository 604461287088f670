"""Journal entries: posting and reversing by hand, and showing all of them."""
