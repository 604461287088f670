"""Recurring documents: invoices and journal entries that are made on a schedule, each on its date."""
