"""What an e-invoice needs of both parties, by the rules of EN 16931 and of XRechnung.

Source: EN 16931-1:2017; XRechnung 3.0.2, rules BR-DE. Parties are their columns by name, as a document keeps them.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from erp.kernel.errors import Complaint
from erp.kernel.language import Digits, says

Party = Mapping[str, Any]


class Need(NamedTuple):
    """A value that a rule asks for, and what to do where it is missing."""

    rule: str
    name: str
    message: str


_SELLER = (
    Need("BR-08", "address", "Enter the office's address in the workspace's settings."),
    Need("BR-09", "country", "Enter the country of the office's address in the workspace's settings."),
)
_BUYER = (
    Need("BR-10", "address", "Enter the customer's address."),
    Need("BR-11", "country", "Enter the country of the customer's address."),
)
_SELLER_DE = (
    Need("BR-DE-1", "iban", "Enter the office's IBAN in the workspace's settings."),
    Need("BR-DE-3", "city", "Enter the city of the office's address in the workspace's settings."),
    Need("BR-DE-4", "postal_code", "Enter the postal code of the office's address in the workspace's settings."),
    Need("BR-DE-5", "contact_name", "Enter contactName in the workspace's settings: whom the customer asks."),
    Need("BR-DE-6", "phone", "Enter the office's phone in the workspace's settings."),
    Need("BR-DE-7", "email", "Enter the office's email in the workspace's settings."),
)
_BUYER_DE = (
    Need("BR-DE-8", "city", "Enter the city of the customer's address."),
    Need("BR-DE-9", "postal_code", "Enter the postal code of the customer's address."),
    Need("BR-DE-15", "buyer_reference", "Enter the customer's buyerReference, such as a Leitweg-ID."),
    Need("PEPPOL-EN16931-R010", "email", "Enter the customer's email: it is their electronic address."),
)


def missing(seller: Party, buyer: Party, *, is_xrechnung: bool, field: str) -> Iterator[Complaint]:
    """Complain about each particular that an e-invoice must have, by the name of the rule.

    Args:
        field: the field that a complaint is about: what is wrong is on record, not in the request.
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
        message = "Enter the office's VAT id or tax number in the workspace's settings."
        yield _complaint(Need("BR-CO-26", "tax_number", message), field)


def _lacking(needs: tuple[Need, ...], party: Party, field: str) -> Iterator[Complaint]:
    address = party.get("address") or {}
    for need in needs:
        if not (party.get(need.name) or address.get(need.name)):
            yield _complaint(need, field)


def _complaint(need: Need, field: str) -> Complaint:
    message = says("No e-invoice can be made ({rule}). {remedy}", rule=Digits(need.rule), remedy=says(need.message))
    return Complaint(field, need.rule.lower().replace("-", "_"), message)
