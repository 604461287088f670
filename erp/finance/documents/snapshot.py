"""What a document keeps of the office as it is issued, so that its paper and its e-invoice say what was issued."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.documents import expressible
from erp.finance.documents.models import Invoice
from erp.kernel.errors import Complaint
from erp.store import workspace_settings
from erp.store.workspace_settings import Settings

LAYOUT = 1
"""The version of the layout that documents are printed in."""

SELLER = (
    "legal_name",
    "vat_id",
    "tax_number",
    "address",
    "email",
    "phone",
    "contact_name",
    "iban",
    "bic",
    "bank_name",
    "register_entry",
    "managers",
    "paper_footer",
)


def taken(invoice: Invoice, rates: Iterable[TaxRateRef | None]) -> dict[str, Any]:
    """What the paper of a document says that its own rows do not: nothing of it is read again.

    Args:
        rates: of its lines, allowances and charges; what they say of an exemption is kept by their id.
    """
    settings = workspace_settings.current()
    reasons = {rate.id: rate.exemption_reason for rate in rates if rate and rate.exemption_reason}
    paper = {"layout": LAYOUT, "language": language(invoice), "seller": seller(settings)}
    if settings.logo_hash is not None:
        paper["logo"] = settings.logo_hash
    return paper | ({"reasons": reasons} if reasons else {})


def seller(settings: Settings) -> dict[str, Any]:
    """The particulars of the office that it has entered; its address has a country where the office has one."""
    values = {name: value for name in SELLER if (value := getattr(settings, name))}
    if settings.address and settings.country:
        values["address"] = {"country": settings.country, **settings.address}
    return values


def language(invoice: Invoice) -> str:
    """The customer's language, else that of the office's papers, else that of its country."""
    return (invoice.customer or {}).get("language") or workspace_settings.paper_language()


def misfits(buyer: Mapping[str, Any], field: str) -> Iterator[Complaint]:
    """What an authority's e-invoice needs and the records lack; others may be completed until it is first made."""
    if buyer.get("buyer_reference"):
        own = seller(workspace_settings.current())
        yield from expressible.missing(own, buyer, is_xrechnung=True, field=field)
