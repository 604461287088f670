"""Recurring documents: invoices and journal entries that are made again and again, each on its date."""
