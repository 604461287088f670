"""The data of a document's paper and e-invoice: its rows, and both parties at its issue."""

from collections.abc import Mapping
from datetime import date
from typing import Any, NamedTuple

import msgspec

from erp.finance.contacts.models import Contact
from erp.finance.documents import paper_texts, snapshot, store
from erp.finance.documents.models import Invoice
from erp.finance.documents.store import FullInvoice
from erp.finance.output.design import designs
from erp.finance.output.design.designs import USUAL, Design
from erp.store import names, sql, workspace_settings
from erp.store.router import WORKSPACE


class Rate(NamedTuple):
    """A tax rate that a document names; `rate` in millionths of a percent."""

    category: str
    rate: int
    reason: str | None


UNTAXED = Rate("O", 0, None)


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """An issued document, or a draft as it would be issued now.

    `seller` and `buyer` are columns by name. `preceding` has the number and date of the credited invoice, or of the
    applied deposits.
    """

    full: FullInvoice
    seller: Mapping[str, Any]
    buyer: Mapping[str, Any]
    language: str
    country: str | None
    base_currency: str
    rates: Mapping[str | None, Rate]
    preceding: list[tuple[str, date]]
    logo: str | None = None
    design: Design = USUAL
    texts: Mapping[str, str] = {}
    project: str | None = None

    @property
    def invoice(self) -> Invoice:
        """The document's own row."""
        return self.full.invoice

    def rate(self, id: str | None) -> Rate:
        """The tax rate of an item; outside the scope of tax without one."""
        return self.rates.get(id, UNTAXED)


def of(invoice: Invoice) -> Source:
    """Read the data of a document's paper.

    What issuing did not keep, because the office or the contact had not entered it yet, is taken as it is now. From
    the first time it is made the file itself is kept.
    """
    return of_full(store.full(invoice), Contact.find(invoice.contact_id))


def of_full(full: FullInvoice, contact: Contact) -> Source:
    """The same of a document whose parts are known, such as a quote or one that is not saved."""
    invoice = full.invoice
    settings, paper = workspace_settings.current(), invoice.paper or {}
    seller = {"name": workspace_settings.office_name(), **snapshot.seller(settings), **paper.get("seller", {})}
    if paper.get("seller", {}).get("legal_name"):
        seller["name"] = paper["seller"]["legal_name"]
    language = paper.get("language") or snapshot.language(invoice)
    return Source(
        full=full,
        seller=seller,
        buyer=_buyer(invoice, contact),
        language=language,
        country=settings.country or (settings.address or {}).get("country"),
        base_currency=settings.base_currency,
        rates=_rates(full, paper.get("reasons", {})),
        preceding=_preceding(full),
        logo=paper.get("logo") if paper else settings.logo_hash,
        design=designs.of(paper.get("design") if paper else settings.paper_design),
        texts=paper.get("texts", {}) if paper else paper_texts.of(invoice, language, contact),
        project=names.of(project=[invoice.project_id]).name(invoice.project_id),
    )


def _buyer(invoice: Invoice, contact: Contact) -> dict[str, Any]:
    at_issue = {name: value for name, value in (invoice.customer or {}).items() if value}
    return {"name": invoice.contact_name, **_filled(contact), **at_issue}


def _filled(contact: Contact) -> dict[str, Any]:
    names = ("legal_name", "vat_id", "tax_number", "address", "email", "buyer_reference")
    return {name: value for name in names if (value := getattr(contact, name))}


def _rates(full: FullInvoice, reasons: Mapping[str, str]) -> dict[str | None, Rate]:
    """The tax rates of the document; percentage and category of a rate in use never change."""
    named = [row.tax_rate_id for row in full.parts.lines] + [row.tax_rate_id for row in full.parts.adjustments]
    ids = {id for id in named if id is not None}
    rows = WORKSPACE.rows(_RATES, (sql.array(ids),))
    return {id: Rate(category, rate, reasons.get(id, reason)) for id, category, rate, reason in rows}


_RATES = "SELECT id, category, rate, exemption_reason FROM tax_rate WHERE id IN (SELECT value FROM json_each(?))"


def _preceding(full: FullInvoice) -> list[tuple[str, date]]:
    credited = full.invoice.credited_invoice_id
    if credited is not None:
        original = Invoice.find(credited)
        return [(str(original.number), original.issue_date)]
    numbered = {row.number: date.fromisoformat(row.issue_date) for row in full.deposits}
    return list(numbered.items())
