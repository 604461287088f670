"""Open items: the allocation of payments and credit notes to invoices."""
