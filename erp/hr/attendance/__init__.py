"""Attendance: clocking, punches, corrections and the month."""
