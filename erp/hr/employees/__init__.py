"""Employees: hiring, changes, pay, leaving and coming back."""
