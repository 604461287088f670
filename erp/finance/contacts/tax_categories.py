"""The rules of EN 16931 for the tax categories of one document, so that an e-invoice can express it.

The seller's number on documents of categories S, Z and E (BR-S-02, BR-Z-02, BR-E-02) is not required: offices outside
the EU use these categories too.
"""

from collections.abc import Iterator, Mapping, Sequence

from erp.finance.contacts.tax_rates import TAXED, TaxRateRef
from erp.kernel import money
from erp.kernel.errors import Complaint
from erp.kernel.language import Digits, Word, says

UNSCOPED = "O"
"""Outside the scope of tax: the category of an item without a tax rate."""

WITH_VAT_ID = {"AE": Word("Reverse charge"), "K": Word("Supply within the EU"), "G": Word("Export", "tax")}
"""Categories whose documents have the seller's VAT number (BR-AE-02, BR-IC-02, BR-G-02)."""

WITH_BOTH_VAT_IDS = ("AE", "K")
"""Categories whose documents have the customer's as well (BR-AE-02, BR-IC-02)."""

Rates = Mapping[str, TaxRateRef | None]
"""The tax rate of each line, allowance and charge by its path (`lines[0]`), or None."""


def misfits(rates: Rates, *, seller: str | None, buyer: str | None, buyer_field: str) -> Iterator[Complaint]:
    """Complain about a document that no e-invoice can express.

    Args:
        rates: of the whole document.
        seller: the VAT id of the workspace.
        buyer: the VAT id of the customer.
        buyer_field: the field that names the customer.
    """
    yield from _mixed(rates)
    for path, rate in rates.items():
        if rate is not None:
            yield from _unfit(f"{path}.taxRateId", rate)
    with_id = {f"{path}.taxRateId": rate for path, rate in rates.items() if rate and rate.category in WITH_VAT_ID}
    if not seller:
        yield from _without_seller(with_id)
    if not buyer:
        yield from _without_buyer([rate.category for rate in with_id.values()], buyer_field)


def _mixed(rates: Rates) -> Iterator[Complaint]:
    """Source: EN 16931 BR-O-11 to BR-O-14."""
    unscoped = [path for path, rate in rates.items() if rate is None or rate.category == UNSCOPED]
    if len(unscoped) == len(rates):
        return
    for path in unscoped:
        message = says("A document outside the scope of VAT cannot have other tax rates. Create two documents.")
        yield Complaint(f"{path}.taxRateId", "mixed_categories", message)


def _unfit(field: str, rate: TaxRateRef) -> Iterator[Complaint]:
    """Source: EN 16931 BR-AE-05 to 07, and alike for E, G, IC and Z; BR-E-10."""
    if rate.rate and rate.category != TAXED:
        message = says(
            "{name} has {percent} %, but its category {category} charges no tax. Choose a"
            " tax rate of that category with a rate of 0.",
            name=rate.name,
            percent=Digits(money.plain(rate.rate)),
            category=rate.category,
        )
        yield Complaint(field, "not_zero", message)
    if rate.category == "E" and not rate.exemption_reason:
        message = says(
            "A document with {name} must state the reason for the exemption. Enter it in that tax rate.", name=rate.name
        )
        yield Complaint(field, "exemption_reason_required", message)


def _without_seller(with_id: Mapping[str, TaxRateRef]) -> Iterator[Complaint]:
    for field, rate in list(with_id.items())[:1]:
        what = WITH_VAT_ID[rate.category]
        message = says("{what}: the document must show your VAT number. Enter it in the workspace settings.", what=what)
        yield Complaint(field, "vat_id_required", message)


def _without_buyer(categories: Sequence[str], field: str) -> Iterator[Complaint]:
    for category in [category for category in categories if category in WITH_BOTH_VAT_IDS][:1]:
        what = WITH_VAT_ID[category]
        message = says(
            "{what}: the document must show the customer's VAT number. Enter it in the customer's details.", what=what
        )
        yield Complaint(field, "vat_id_required", message)
