"""The text of the QR code that fills in a transfer in a bank's app.

Source: EPC069-12, version 3.0: at most 331 bytes, error correction M, version 13.
"""

from collections.abc import Mapping
from typing import Any

from erp.finance.output.sources import Source
from erp.kernel import money

NAME, REASON = 70, 140
"""The longest name of a payee, and the longest payment reference."""


def text_of(source: Source, due: int | None = None) -> str | None:
    """The text for paying a document; None if it is not in euros, or there is no account.

    Args:
        due: the amount to pay; by default all that the document asks for.
    """
    invoice = source.invoice
    if invoice.number is None:
        return None
    return text(source.seller, invoice.currency, invoice.demanded if due is None else due, invoice.number)


def text(payee: Mapping[str, Any], currency: str, amount: int, number: str) -> str | None:
    """The text for paying an amount in minor units to the office, with the number of a document as the reference."""
    iban = payee.get("iban")
    if currency != "EUR" or amount <= 0 or iban is None:
        return None
    head = ["BCD", "002", "1", "SCT", ""]  # within the EEA no BIC is needed
    return "\n".join([*head, payee["name"][:NAME], iban, f"EUR{money.text(amount, 'EUR')}", "", "", number[:REASON]])
