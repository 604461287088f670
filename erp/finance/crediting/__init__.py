"""Credit notes made from an invoice: what is left of it to credit, and what a part of that comes to."""
