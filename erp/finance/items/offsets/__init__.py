"""Offsets: a contact's receivables against its payables, by one entry and without a bank."""
