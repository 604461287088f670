"""Documents on paper: their texts, their words, and their layout."""
