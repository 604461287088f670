"""The documents that settle each other, as far as this room knows them."""

from collections.abc import Mapping
from typing import Literal

Direction = Literal["received", "made"]
Side = Literal["receivable", "payable"]

SETTLED_BY: Mapping[str, tuple[Direction, Side]] = {
    "sales_invoice": ("received", "receivable"),
    "deposit_invoice": ("received", "receivable"),
    "final_invoice": ("received", "receivable"),
    "sales_credit_note": ("made", "receivable"),
    "purchase_invoice": ("made", "payable"),
    "purchase_credit_note": ("received", "payable"),
}
"""By kind of document: the direction of the payments that settle it, and the default account that both post to."""

SIGNS = {kind: 1 if direction == "received" else -1 for kind, (direction, _) in SETTLED_BY.items()} | {
    "received": -1,
    "made": 1,
}
"""By kind of document or direction of payment: whether it debits (1) or credits (-1) the account of its contact."""
