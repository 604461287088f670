"""What tax returns show, how they are filed, and what the office owes by them."""
