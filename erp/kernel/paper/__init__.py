"""Documents as PDF, and the letters that they are written in."""
