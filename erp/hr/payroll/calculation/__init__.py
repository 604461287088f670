"""The arithmetic of a payslip: pure functions of plain values."""
