"""What is taken off documents: cash discounts, write-offs, small differences, and what is received on them later."""
