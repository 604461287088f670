"""Customers and suppliers, and tax rates."""
