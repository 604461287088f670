"""The files of a document: their forms, their requirements, and how they are made."""

from collections.abc import Callable

from erp.finance.documents import snapshot
from erp.finance.documents.models import PURCHASES, Invoice
from erp.finance.output import einvoices, kept, sources
from erp.finance.output.bodies import EInvoiceQuery
from erp.finance.output.einvoice import cii, rules, ubl
from erp.finance.output.einvoice.model import Profile, Syntax
from erp.finance.output.kept import Made
from erp.finance.output.sources import Source
from erp.kernel.errors import Complaint, Conflict, InvalidTransition, Refusal
from erp.kernel.language import says
from erp.web.schema import File

XML = "application/xml"
WRITERS = {"ubl": ubl.write, "cii": cii.write}


class NotExpressible(Refusal):
    """No e-invoice is possible for {number}. The details name the rule and the missing values."""

    status = 409


class WrittenBySupplier(Conflict):
    """{number} was created by a supplier. Download the original instead."""


def einvoice(id: str, query: EInvoiceQuery) -> File:
    """The e-invoice of a document.

    Raises:
        InvalidTransition: it is a draft.
        WrittenBySupplier: it is a bill.
        NotExpressible: a rule of EN 16931 or of the profile is broken; the details name it.
    """
    return kept.file_of(id, lambda invoice: _einvoice(invoice, query))


def _einvoice(invoice: Invoice, query: EInvoiceQuery) -> tuple[str, Callable[[], Made]]:
    check_own(invoice)
    profile = query.profile or usual_profile(invoice)
    syntax: Syntax = "cii" if profile == "factur_x" else query.syntax or "ubl"
    name = f"{file_name(invoice)}.xml"
    return f"{profile}.{syntax}", lambda: Made(name, XML, written(sources.of(invoice), profile, syntax))


def made(invoice: Invoice) -> Made:
    """The usual e-invoice of a document, not stored.

    Raises:
        NotExpressible: a rule is broken.
    """
    _, make = _einvoice(invoice, EInvoiceQuery())
    return make()


def usual_profile(invoice: Invoice) -> Profile:
    """An XRechnung for an authority, whose reference the document had at its issue; else EN 16931."""
    return "xrechnung" if (invoice.customer or {}).get("buyer_reference") else "en16931"


def written(source: Source, profile: Profile, syntax: Syntax) -> bytes:
    """The e-invoice of a document as bytes.

    Raises:
        NotExpressible: a rule is broken.
    """
    complaints = misfits(source, profile)
    if complaints:
        raise NotExpressible(details=complaints, number=source.invoice.number)
    return WRITERS[syntax](einvoices.of(source, profile), profile)


def misfits(source: Source, profile: Profile) -> list[Complaint]:
    """The complaints about a document that no e-invoice of that profile can express."""
    is_xrechnung = profile == "xrechnung"
    complaints = list(snapshot.missing(source.seller, source.buyer, is_xrechnung=is_xrechnung, field="id"))
    return complaints or list(rules.misfits(einvoices.of(source, profile), "id"))


def check_own(invoice: Invoice) -> None:
    """Refuse a draft, and a supplier's document."""
    if invoice.status == "draft":
        raise InvalidTransition(says("This invoice is a draft. Issue it first."))
    if invoice.kind in PURCHASES:
        raise WrittenBySupplier(number=invoice.number)


def file_name(invoice: Invoice) -> str:
    """A file name from the number of a document."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in invoice.number or says("draft"))
