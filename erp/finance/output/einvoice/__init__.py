"""E-invoices by EN 16931, written and read as UBL 2.1 and as CII D16B; nothing here knows the books."""
