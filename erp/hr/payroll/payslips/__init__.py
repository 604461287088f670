"""Payslips: how they are stored, shown, overridden and printed."""
