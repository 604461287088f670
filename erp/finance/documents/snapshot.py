"""The copy of the office's particulars that a document keeps from its issue, for its paper and its e-invoice.

An e-invoice needs particulars of both parties, by EN 16931-1:2017 and by XRechnung 3.0.2, rules BR-DE; the parties are
their columns by name, as a document keeps them.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.documents import paper_texts
from erp.finance.documents.models import Invoice
from erp.kernel.errors import Complaint
from erp.kernel.language import Digits, Sentence, says
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
    """Particulars for a document's paper that its own rows lack; they are never read again from the settings.

    Args:
        rates: of its lines, allowances and charges; their exemption reasons are kept by id.
    """
    settings = workspace_settings.current()
    reasons = {rate.id: rate.exemption_reason for rate in rates if rate and rate.exemption_reason}
    paper: dict[str, Any] = {"layout": LAYOUT, "language": language(invoice), "seller": seller(settings)}
    if settings.logo_hash is not None:
        paper["logo"] = settings.logo_hash
    if settings.paper_design is not None:
        paper["design"] = settings.paper_design
    if texts := paper_texts.of(invoice, paper["language"]):
        paper["texts"] = texts
    return paper | ({"reasons": reasons} if reasons else {})


def seller(settings: Settings) -> dict[str, Any]:
    """The particulars of the office that it has entered; its address has a country where the office has one."""
    values = {name: value for name in SELLER if (value := getattr(settings, name))}
    if settings.address and settings.country:
        values["address"] = {"country": settings.country, **settings.address}
    return values


def language(invoice: Invoice) -> str:
    """The customer's language, else the language of the office's papers, else of its country."""
    return (invoice.customer or {}).get("language") or workspace_settings.paper_language()


def misfits(buyer: Mapping[str, Any], field: str, *, is_supply: bool) -> Iterator[Complaint]:
    """Complaints about particulars missing for an authority's e-invoice; others can be completed until it is made.

    Args:
        is_supply: whether goods are supplied within the EU, which always names the place of delivery.
    """
    if buyer.get("buyer_reference"):
        own = seller(workspace_settings.current())
        yield from missing(own, buyer, is_xrechnung=True, field=field)
    elif is_supply:
        yield from _lacking(_PLACE, buyer, field)


Party = Mapping[str, Any]


class Need(NamedTuple):
    """A value that a rule requires, and the advice if it is missing."""

    rule: str
    name: str
    message: Sentence


_SELLER = (
    Need("BR-08", "address", says("Enter the office's address in the workspace's settings.")),
    Need("BR-09", "country", says("Enter the country of the office's address in the workspace's settings.")),
)
_BUYER = (
    Need("BR-10", "address", says("Enter the customer's address.")),
    Need("BR-11", "country", says("Enter the country of the customer's address.")),
)
_PLACE = (
    Need("BR-IC-12", "country", says("Enter the country of the customer's address.")),
    Need("BR-DE-10", "city", says("Enter the city of the customer's address.")),
    Need("BR-DE-11", "postal_code", says("Enter the postal code of the customer's address.")),
)
_SELLER_DE = (
    Need("BR-DE-1", "iban", says("Enter the office's IBAN in the workspace's settings.")),
    Need("BR-DE-3", "city", says("Enter the city of the office's address in the workspace's settings.")),
    Need("BR-DE-4", "postal_code", says("Enter the postal code of the office's address in the workspace's settings.")),
    Need("BR-DE-5", "contact_name", says("Enter the contact person in the workspace settings.")),
    Need("BR-DE-6", "phone", says("Enter the office's phone in the workspace's settings.")),
    Need("BR-DE-7", "email", says("Enter the office's email in the workspace's settings.")),
)
_BUYER_DE = (
    Need("BR-DE-8", "city", says("Enter the city of the customer's address.")),
    Need("BR-DE-9", "postal_code", says("Enter the postal code of the customer's address.")),
    Need("BR-DE-15", "buyer_reference", says("Enter the customer's buyer reference, for example a Leitweg-ID.")),
    Need("PEPPOL-EN16931-R010", "email", says("Enter the customer's email: it is their electronic address.")),
)


def missing(seller: Party, buyer: Party, *, is_xrechnung: bool, field: str) -> Iterator[Complaint]:
    """Complain about each particular that an e-invoice must have, by the name of the rule.

    Args:
        field: the field for the complaints; the missing value is in the records, not in the request.
    """
    yield from _lacking(_SELLER, seller, field)
    yield from _tax_identity(seller, field)
    yield from _lacking(_BUYER, buyer, field)
    if is_xrechnung:
        yield from _lacking(_SELLER_DE, seller, field)
        yield from _lacking(_BUYER_DE, buyer, field)


def _tax_identity(seller: Party, field: str) -> Iterator[Complaint]:
    """Source: BR-CO-26, BR-S-02, BR-DE-16."""
    if not seller.get("vat_id") and not seller.get("tax_number"):
        message = says("Enter your VAT number or tax number in the workspace settings.")
        yield _complaint(Need("BR-CO-26", "tax_number", message), field)


def _lacking(needs: tuple[Need, ...], party: Party, field: str) -> Iterator[Complaint]:
    address = party.get("address") or {}
    for need in needs:
        if not (party.get(need.name) or address.get(need.name)):
            yield _complaint(need, field)


def _complaint(need: Need, field: str) -> Complaint:
    message = says("No e-invoice is possible ({rule}). {remedy}", rule=Digits(need.rule), remedy=need.message)
    return Complaint(field, need.rule.lower().replace("-", "_"), message)
