"""The core of invoices, bills and credit notes: their figures, their rows and what they post."""
