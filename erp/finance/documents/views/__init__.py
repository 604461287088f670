"""How invoices, bills and credit notes are shown."""
