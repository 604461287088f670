"""Payments: money received and paid."""
