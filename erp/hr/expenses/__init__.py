"""Expense claims: receipts, mileage and per diems, from the draft to the entry that owes them to the employee."""
