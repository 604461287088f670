"""Warnings of payroll runs: found while computing or afterwards, and shown by kind."""
