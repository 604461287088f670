"""Settlement: what a payment or a credit note pays of an invoice."""
