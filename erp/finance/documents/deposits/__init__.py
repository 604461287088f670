"""Deposit invoices, whose tax is due when they are paid, and the final invoices that apply them."""
