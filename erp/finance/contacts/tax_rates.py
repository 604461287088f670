"""Tax rates: percentages with their EN 16931 category, how they are found, and the rules of changing them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from msgspec import UNSET

from erp.finance.books import accounts
from erp.finance.contacts.models import TaxRate
from erp.kernel import money
from erp.kernel.complaints import refuse_any, unknown
from erp.kernel.errors import Complaint, InUse, Invalid
from erp.store import changes, events
from erp.store.router import WORKSPACE
from erp.web.scalars import Id, Line, Name, Percent
from erp.web.schema import Body, Unset

Category = Literal["S", "Z", "E", "AE", "K", "G", "O"]
WITH_PERCENTAGE = ("S", "AE")
"""Categories whose percentage may be above 0; that of AE is the local one which the customer owes."""
WITH_REASON = ("E", "AE", "K", "G", "O")
"""Categories that may say why no tax is charged."""
ACCOUNTS = {"sales_account_id": "salesAccountId", "purchase_account_id": "purchaseAccountId"}


class NewTaxRate(Body):
    """A percentage with its category; accounts are named by id or by code.

    S is the standard rate, Z a rate of zero, E exempt, AE reverse charge, K supply within the EU, G export and O
    outside the scope of tax. Without an account the default ones for tax and input tax serve.
    """

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "name": "Reduced rate",
        "rate": "7.5",
        "category": "S",
        "salesAccountId": "2200",
    }

    name: Name
    rate: Percent
    category: Category = "S"
    exemption_reason: Line | None = None
    sales_account_id: Id | None = None
    purchase_account_id: Id | None = None
    is_default: bool = False


class TaxRateChange(Body):
    """Fields of a tax rate to change; those left out stay, null clears."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Standard rate", "isDefault": True}

    name: Name | Unset = UNSET
    rate: Percent | Unset = UNSET
    category: Category | Unset = UNSET
    exemption_reason: Line | Unset | None = UNSET
    sales_account_id: Id | Unset | None = UNSET
    purchase_account_id: Id | Unset | None = UNSET
    is_default: bool | Unset = UNSET


@dataclass(frozen=True, slots=True)
class TaxRateRef:
    """A tax rate that a document names; `rate` is a percentage in millionths, an account of None the default one."""

    id: str
    rate: int
    category: str
    sales_account_id: str | None
    purchase_account_id: str | None


_COLUMNS = "SELECT id, rate, category, sales_account_id, purchase_account_id, archived_at IS NOT NULL FROM tax_rate"


def refer_all(values: Mapping[str, str]) -> dict[str, TaxRateRef]:
    """Find the tax rates that fields name by id, in one query.

    Args:
        values: ids by the field's path (`lines[0].taxRateId`).

    Raises:
        UnknownReference: one field names none of this workspace.
        Invalid: several fields do, or what they name is archived.
    """
    found, complaints = look_up(values)
    refuse_any(complaints, "tax rate")
    return found


def look_up(values: Mapping[str, str]) -> tuple[dict[str, TaxRateRef], list[Complaint]]:
    """Find tax rates as `refer_all` does, for a caller with complaints of its own to add."""
    rows = WORKSPACE.rows(
        f"{_COLUMNS} WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(set(values.values()))),)
    )
    rates = {row[0]: TaxRateRef(*row[:5]) for row in rows}
    archived = {row[0] for row in rows if row[5]}
    complaints = [unknown(field, "tax rate") for field, id in values.items() if id not in rates]
    complaints += [
        Complaint(field, "archived", "This tax rate is archived.") for field, id in values.items() if id in archived
    ]
    return {field: rates[id] for field, id in values.items() if id in rates}, complaints


def default() -> TaxRateRef | None:
    """The rate of lines that name none."""
    rows = WORKSPACE.rows(f"{_COLUMNS} WHERE is_default")
    return TaxRateRef(*rows[0][:5]) if rows else None


def add(new: NewTaxRate) -> TaxRate:
    """Add a tax rate; a new default takes the place of the old one.

    Raises:
        UnknownReference: it names an account that is not in this workspace.
        Invalid: its percentage, reason or accounts do not fit.
    """
    values = _columns(new.changes())
    values = _checked(values, values)
    replaced = _unset_default() if new.is_default else {}
    tax_rate = TaxRate.add(**values)
    facts = {"name": tax_rate.name, "rate": money.plain(tax_rate.rate), "category": tax_rate.category}
    events.write("tax_rate.created", "tax_rate", tax_rate.id, facts | replaced)
    return tax_rate


def change(id: str, wanted: TaxRateChange) -> TaxRate:
    """Change a tax rate; a new default takes the place of the old one.

    Raises:
        InUse: another percentage or category is wanted, but documents have the present one.
        UnknownReference: it names an account that is not in this workspace.
        Invalid: its percentage, reason or accounts do not fit.
    """
    tax_rate = TaxRate.find_to_change(id)
    values = changes.differing(tax_rate, _columns(wanted.changes()))
    if {"rate", "category"} & values.keys() and _is_used(id):
        raise InUse("Documents have this percentage and category, which stay; make a successor and archive this one.")
    whole = {name: values.get(name, getattr(tax_rate, name)) for name in TaxRateChange.__struct_fields__}
    values = changes.differing(tax_rate, _checked(values, whole))
    if values.get("is_default") and tax_rate.archived_at is not None:
        raise Invalid.one("isDefault", "archived", "An archived tax rate cannot be the default.")
    if values:
        replaced = _unset_default() if values.get("is_default") else {}
        facts = {"name": tax_rate.name, "changes": changes.before_and_after(tax_rate, values)}
        tax_rate.change(**values)
        events.write("tax_rate.updated", "tax_rate", id, facts | replaced)
    return tax_rate


def remove(id: str) -> None:
    """Delete a tax rate that nothing names.

    Raises:
        InUse: a document or a contact names it.
    """
    tax_rate = TaxRate.find_to_change(id)
    changes.delete(tax_rate, "Documents or contacts have this tax rate, so it has to stay; archive it instead.")
    events.write("tax_rate.deleted", "tax_rate", id, {"name": tax_rate.name})


def archive(id: str) -> TaxRate:
    """Archive a tax rate, so that no new document can name it.

    Raises:
        InvalidTransition: it is archived already.
        InUse: it is the default.
    """
    tax_rate = TaxRate.find_to_change(id)
    if tax_rate.is_default:
        raise InUse("This is the default tax rate; make another one the default first.")
    changes.archive(tax_rate, "The tax rate", {"name": tax_rate.name})
    return tax_rate


def unarchive(id: str) -> TaxRate:
    """Take an archived tax rate back into use.

    Raises:
        InvalidTransition: it is not archived.
    """
    tax_rate = TaxRate.find_to_change(id)
    changes.unarchive(tax_rate, "The tax rate", {"name": tax_rate.name})
    return tax_rate


def _unset_default() -> dict[str, str]:
    """Take the mark off the present default; the fact for the event of what replaces it."""
    present: TaxRate | None = TaxRate.get_or_none(TaxRate.is_default)
    if present is None:
        return {}
    present.change(is_default=False)
    return {"replacedDefaultId": present.id}


_USED = (
    "SELECT EXISTS (SELECT 1 FROM invoice_line WHERE tax_rate_id = ?)"
    " OR EXISTS (SELECT 1 FROM invoice_adjustment WHERE tax_rate_id = ?)"
    " OR EXISTS (SELECT 1 FROM invoice_tax WHERE tax_rate_id = ?)"
)


def _is_used(id: str) -> bool:
    return bool(WORKSPACE.rows(_USED, (id, id, id))[0][0])


def _columns(values: dict[str, Any]) -> dict[str, Any]:
    """The fields of a body as the table keeps them, but for accounts named by code."""
    return values | ({"rate": money.scaled(values["rate"], money.MICRO)} if "rate" in values else {})


def _checked(values: dict[str, Any], whole: Mapping[str, Any]) -> dict[str, Any]:
    """The values to write, with the ids of the accounts that they name.

    Args:
        whole: all of the tax rate's values as they will be.
    """
    found, complaints = accounts.look_up({wire: values[name] for name, wire in ACCOUNTS.items() if values.get(name)})
    for field, account in found.items():
        if account.subtype in ("receivable", "payable"):
            complaints.append(Complaint(field, "wrong_account", "Tax is not posted to receivables or payables."))
    refuse_any([*complaints, *_misfits(whole)], "account")
    return values | {name: found[wire].id for name, wire in ACCOUNTS.items() if wire in found}


def _misfits(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    if whole["rate"] and whole["category"] not in WITH_PERCENTAGE:
        yield Complaint("rate", "not_zero", f"Category {whole['category']} charges no tax: the rate must be 0.")
    if whole["exemption_reason"] and whole["category"] not in WITH_REASON:
        yield Complaint("exemptionReason", "not_exempt", f"Category {whole['category']} is no exemption.")
