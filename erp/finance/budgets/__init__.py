"""Budgets: the income and expenses that the office plans for the months of a fiscal year."""
