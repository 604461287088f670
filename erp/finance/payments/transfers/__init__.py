"""Transfers: money that moves between the office's own accounts, also from one currency to another."""
