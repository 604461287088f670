"""Papers and e-invoices, sent to customers and received from suppliers."""
