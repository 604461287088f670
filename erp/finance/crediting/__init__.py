"""Credit notes made from an invoice: the amount still creditable, and the amounts of its parts."""
