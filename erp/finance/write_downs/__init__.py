"""Deductions from documents and open items: cash discounts, write-offs, small differences, and later recoveries."""
