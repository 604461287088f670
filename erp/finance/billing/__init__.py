"""Invoices made from time logs."""
