"""Differences between what payslips have paid and what is due by today's facts."""
