"""What counts in tax returns, when, and at which rates."""
