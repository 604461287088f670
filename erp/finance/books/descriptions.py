"""Descriptions of entries that a list tells to each reader in their language, by the document that made the entry."""

from erp.kernel.language import says

RECEIVED = says("Payment {number} from {name}")
MADE = says("Payment {number} to {name}")
PAY = says("Payment of payroll run {number}")
TRANSFER = says("Transfer {number}")

BY_SOURCE = {"payment": (RECEIVED, MADE), "payroll_run": (PAY,), "transfer": (TRANSFER,)}
"""By the type of the document."""
