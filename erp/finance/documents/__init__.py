"""The core of invoices, bills and credit notes: their figures, rows and postings."""
