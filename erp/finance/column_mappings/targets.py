"""The tables that files of other programs are read into: their fields, and how others head their columns."""

from collections.abc import Mapping, Sequence

import msgspec

from erp.kernel import countries


class Target(msgspec.Struct, frozen=True):
    """A table of ours.

    Attributes:
        words: by field, headings of others in German and English, the surest first; a field above takes a column first.
        needed: the fields that a mapping must have, of each group at least one.
        values: by field, our values by the words of others in small letters.
    """

    words: Mapping[str, Sequence[str]]
    needed: Sequence[Sequence[str]]
    amounts: Sequence[str] = ()
    days: Sequence[str] = ()
    values: Mapping[str, Mapping[str, str]] = {}


_CONTACTS = Target(
    words={
        "bankAccount.iban": ("iban",),
        "bankAccount.bic": ("bic", "swift"),
        "bankAccount.holder": ("kontoinhaber", "account holder"),
        "vatId": (
            *("ust idnr", "ust id nr", "ustidnr", "ust id", "ustid", "umsatzsteuer id", "uid"),
            *("vat id", "vat number", "vat no", "vat registration number"),
        ),
        "taxNumber": ("steuernummer", "steuernr", "tax number", "taxnumber", "tax id"),
        "email": ("e mail", "email", "e mail adresse", "mail"),
        "phone": ("telefon", "telefonnummer", "phone", "phone number", "tel", "telephone", "mobil", "mobile"),
        "address.postalCode": ("plz", "postleitzahl", "postal code", "postcode", "zip", "zip code"),
        "address.city": ("ort", "stadt", "wohnort", "city", "town"),
        "address.region": ("bundesland", "kanton", "state", "region", "county"),
        "address.country": ("land", "ländercode", "country", "country code"),
        "address.line2": ("adresszusatz", "anschriftzusatz", "address line 2", "address 2", "street 2"),
        "address.line1": (
            "straße",
            "strasse",
            "anschrift",
            "adresse",
            "street",
            "address line 1",
            "address 1",
            "address",
        ),
        "currency": ("währung", "currency"),
        "paymentTermsDays": ("zahlungsziel", "zahlungsziel tage", "payment terms days", "payment terms"),
        "buyerReference": ("leitweg id", "buyer reference"),
        "note": ("notiz", "notizen", "bemerkung", "bemerkungen", "note", "notes", "comment", "memo"),
        "kind": ("kontaktart", "kontakttyp", "kategorie", "typ", "art", "type", "category", "contact type"),
        "legalName": ("firmierung", "legal name"),
        "name": (
            *("firma", "firmenname", "organisation", "kundenname", "lieferantenname", "anzeigename", "name 1", "name"),
            *("company", "company name", "organization", "display name", "contact name", "customer", "supplier"),
            *("kunde", "lieferant", "kontakt", "vendor"),
        ),
    },
    needed=(("kind",), ("name",)),
    values={
        "kind": {
            **dict.fromkeys(("kunde", "kundin", "debitor", "client"), "customer"),
            **dict.fromkeys(("lieferant", "kreditor", "vendor"), "supplier"),
            **dict.fromkeys(("kunde und lieferant", "beides", "customer and supplier"), "both"),
        },
        "address.country": countries.BY_NAME,
    },
)
_OPENING = Target(
    words={
        "foreignAmount": ("fremdwährungsbetrag", "betrag in währung", "foreign amount", "amount in currency"),
        "debit": ("saldo soll", "eb soll", "soll", "debit balance", "debit"),
        "credit": ("saldo haben", "eb haben", "haben", "credit balance", "credit"),
        "balance": ("saldo", "endsaldo", "schlusssaldo", "eb wert", "closing balance", "balance", "betrag", "amount"),
        "dueDate": ("fällig am", "fälligkeitsdatum", "fälligkeit", "fällig", "due date", "due"),
        "documentDate": ("belegdatum", "rechnungsdatum", "document date", "invoice date", "datum", "date"),
        "number": (
            *("belegnummer", "belegnr", "beleg nr", "rechnungsnummer", "rechnungsnr", "rechnung nr"),
            *("invoice number", "document number", "invoice no", "document no"),
        ),
        "contact": (
            *("kunde", "lieferant", "debitor", "kreditor", "geschäftspartner", "kontakt"),
            *("customer", "supplier", "vendor", "contact"),
        ),
        "account": (
            *("kontonummer", "kontonr", "konto nr", "sachkonto", "konto"),
            *("account code", "account number", "account no", "account", "code"),
        ),
        "currency": ("währung", "currency"),
        "taxRate": ("steuersatz", "tax rate"),
        "month": ("monat", "month"),
    },
    needed=(("account",), ("debit", "credit", "balance")),
    amounts=("debit", "credit", "balance", "foreignAmount"),
    days=("documentDate", "dueDate"),
)
TARGETS: Mapping[str, Target] = {"contacts": _CONTACTS, "opening_balances": _OPENING}
SIGNED = "balance"
"""The field whose sign is the side: a debit above zero."""
