"""What only bills have: the supplier's number and printed tax, reverse charge, what is not deductible, approval."""
