"""Payroll: runs, what they post, and how they are paid out."""
