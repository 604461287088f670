"""The text of the QR code that fills in a transfer in a bank's app.

Source: EPC069-12, version 3.0: at most 331 bytes, error correction M, version 13.
"""

from erp.finance.output.sources import Source
from erp.kernel import money

NAME, REASON = 70, 140
"""The longest name of a payee, and the longest payment reference."""


def text_of(source: Source, due: int | None = None) -> str | None:
    """The text for paying a document; None if it is not in euros, or there is no account.

    Args:
        due: the amount to pay; by default all that the document asks for.
    """
    invoice, iban = source.invoice, source.seller.get("iban")
    asked = invoice.demanded if due is None else due
    if invoice.currency != "EUR" or asked <= 0 or iban is None or invoice.number is None:
        return None
    amount = f"EUR{money.text(asked, 'EUR')}"
    head = ["BCD", "002", "1", "SCT", ""]  # within the EEA no BIC is needed
    return "\n".join([*head, source.seller["name"][:NAME], iban, amount, "", "", invoice.number[:REASON]])
