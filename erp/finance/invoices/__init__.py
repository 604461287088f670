"""Invoices, bills and credit notes in the API: lists, views, previews, issuing, and the actions open to the caller."""
