"""Payslips: how they are listed, shown, overridden and printed."""
