"""Payroll: runs, their entries, and their payment."""
