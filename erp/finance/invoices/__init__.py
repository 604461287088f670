"""Invoices, bills and credit notes as people meet them: listed, shown, previewed and issued, with what may be done."""
