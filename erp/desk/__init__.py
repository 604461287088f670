"""What a person at a desk needs of every area at once: what changed, and what waits for them."""
