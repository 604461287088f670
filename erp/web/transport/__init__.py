"""What is spared on the way: answers that a reader has already, and bytes."""
