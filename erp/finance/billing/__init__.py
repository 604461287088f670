"""Invoices made from other records: time logs."""
