"""Customers and suppliers, and the tax rates they are charged."""
