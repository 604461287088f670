"""The texts above the lines and below the totals of a document's paper: its own, the contact's, or the workspace's."""

from erp.finance.contacts.models import Contact
from erp.finance.documents.models import PURCHASES, Invoice
from erp.texts import texts
from erp.texts.kinds import TextField, TextKind

KINDS: dict[str, TextKind] = {
    "sales_invoice": "invoice",
    "sales_credit_note": "credit_note",
    "deposit_invoice": "deposit_invoice",
    "final_invoice": "final_invoice",
    "purchase_invoice": "invoice",
    "purchase_credit_note": "credit_note",
}
"""The kind of texts of each kind of document."""


def of(invoice: Invoice, language: str, contact: Contact | None = None) -> dict[str, str]:
    """The texts of a document that we write, with their places; the first that there is wins, and an empty one is none.

    A supplier's document has none.

    Args:
        contact: of the document, if it is read already or is not saved.
    """
    if invoice.kind in PURCHASES:
        return {}
    contact = contact or Contact.find(invoice.contact_id)
    chosen = chosen_for(KINDS[invoice.kind], language, contact, invoice.intro, invoice.closing)
    return {name: text for name, text in chosen.items() if text}


def chosen_for(
    kind: TextKind, language: str, contact: Contact | None, intro: str | None = None, closing: str | None = None
) -> dict[str, str | None]:
    """`intro` and `closing` of a paper: its own, else the contact's, else the workspace's of the kind and language."""

    def first(own: str | None, of_contact: str | None, field: TextField) -> str | None:
        own = of_contact if own is None else own
        return texts.find(kind, field, language) if own is None else own

    return {
        "intro": first(intro, None if contact is None else contact.paper_intro, "intro"),
        "closing": first(closing, None if contact is None else contact.paper_closing, "closing"),
    }
