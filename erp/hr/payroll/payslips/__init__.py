"""Payslips: listing, showing, overriding and printing."""
