"""Tax rates: percentages with their EN 16931 category; finding them, and the rules of changing them."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal

import msgspec

from erp.finance.books import accounts, default_accounts
from erp.finance.books.accounts import AccountRef
from erp.finance.books.chart import SUBTYPES
from erp.finance.contacts.bodies import NewTaxRate, TaxRateChange, TaxSide
from erp.finance.contacts.models import TaxRate
from erp.kernel import money
from erp.kernel.complaints import refuse_any, unknown
from erp.kernel.errors import Complaint, InUse, Invalid
from erp.kernel.language import Digits, Noun, Word, says
from erp.kernel.wire import wire_name
from erp.store import changes, events, sql, workspace_settings
from erp.store.router import WORKSPACE

TAXED = "S"
"""The one category that charges tax; all others have a rate of 0, except `OWED_BY_BUYER`."""
OWED_BY_BUYER = ("AE", "K")
"""Categories whose tax the buyer owes; on a sale the rate must be 0."""
WITH_REASON = ("E", "AE", "K", "G", "O")
"""Categories that may give a reason why no tax is charged."""
UNSORTED = "unsorted"
"""The tag of reverse charge that does not say which: it counts in no box of a return."""
TAGS = {
    "S": "taxed",
    "Z": "zero_rated",
    "E": "exempt",
    "AE": UNSORTED,
    "K": "eu_goods",
    "G": "export",
    "O": "not_taxable",
}
"""The tag of a rate without one, by its category."""
FIXED = frozenset({"rate", "category", "side", "tax_tag", "country", "region", "components", "net_tax_rate"})
"""The columns that documents and returns rest on; `_unsaid` ones may still be said."""
_PERCENTS = ("rate", "net_tax_rate")
ACCOUNT_TYPES = {
    "output_tax_account_id": None,
    "input_tax_account_id": None,
    "income_account_id": "income",
    "expense_account_id": "expense",
    "discounts_given_account_id": "income",
    "discounts_received_account_id": "expense",
}
"""The columns of accounts, with the required type of each."""


class TaxRateRef(msgspec.Struct, frozen=True):
    """A tax rate that a document names: its percentage in millionths, and its accounts, None for the default ones."""

    id: str
    name: str
    rate: int
    category: str
    exemption_reason: str | None
    output_tax_account_id: str | None
    income_account_id: str | None
    input_tax_account_id: str | None
    expense_account_id: str | None
    discounts_given_account_id: str | None
    discounts_received_account_id: str | None
    side: TaxSide = "both"
    tax_tag: str | None = None
    country: str | None = None


_SELECT = (
    "SELECT id, name, rate, category, exemption_reason, output_tax_account_id, income_account_id,"
    " input_tax_account_id, expense_account_id, discounts_given_account_id, discounts_received_account_id,"
    " side, tax_tag, country, archived_at IS NOT NULL FROM tax_rate"
)


def refer_all(ids: Mapping[str, str]) -> dict[str, TaxRateRef]:
    """Find the tax rates that fields name by id, in one query.

    Args:
        ids: ids by the field's path (`lines[0].taxRateId`).

    Raises:
        UnknownReference: a single field names no tax rate of this workspace.
        Invalid: several fields do, or the tax rates they name are archived.
    """
    rates, complaints = look_up(ids)
    refuse_any(complaints, Noun("tax rate"))
    return rates


def look_up(
    ids: Mapping[str, str], side: Literal["sale", "purchase"] | None = None
) -> tuple[dict[str, TaxRateRef], list[Complaint]]:
    """Find tax rates as `refer_all` does, for a caller that adds complaints of its own.

    Args:
        side: of the documents that the rates must fit.
    """
    rows = WORKSPACE.rows(f"{_SELECT} WHERE id IN (SELECT value FROM json_each(?))", (sql.array(set(ids.values())),))
    rates = {row[0]: TaxRateRef(*row[:-1]) for row in rows}
    archived = {row[0] for row in rows if row[-1]}
    complaints = [unknown(field, Noun("tax rate")) for field, id in ids.items() if id not in rates]
    message = says("This tax rate is archived. Choose another one.")
    complaints += [Complaint(field, "archived", message) for field, id in ids.items() if id in archived]
    named = {field: rates[id] for field, id in ids.items() if id in rates}
    if side is not None:
        complaints += _of_other_side(named, side)
    return named, complaints


def _of_other_side(rates: Mapping[str, TaxRateRef], side: str) -> Iterator[Complaint]:
    messages = {
        "sale": says("{name} is for sales only. Choose another tax rate."),
        "purchase": says("{name} is for bills only. Choose another tax rate."),
    }
    for field, rate in rates.items():
        if rate.side not in ("both", side):
            yield Complaint(field, "wrong_side", messages[rate.side].fill(name=rate.name))


def accounts_of_input(ids: Iterable[str]) -> dict[str, str]:
    """The account of deductible tax of each rate, its own or the default one."""
    usual = default_accounts.of("input_tax")
    rows = WORKSPACE.rows(f"{_SELECT} WHERE id IN (SELECT value FROM json_each(?))", (sql.array(ids),))
    return {rate.id: rate.input_tax_account_id or usual for rate in (TaxRateRef(*row[:-1]) for row in rows)}


def default() -> TaxRateRef | None:
    """The rate of lines without one."""
    rows = WORKSPACE.rows(f"{_SELECT} WHERE is_default")
    return TaxRateRef(*rows[0][:-1]) if rows else None


def add(new: NewTaxRate) -> TaxRate:
    """Add a tax rate; a new default replaces the old one.

    Raises:
        UnknownReference: it names an account that is not in this workspace.
        Invalid: the percentage, reason or accounts do not fit.
    """
    values = columns(new)
    values["side"] = new.side or usual_side(new.category, values["rate"], new.tax_tag)
    values = _checked(values, values)
    replaced = _unset_default() if new.is_default else {}
    tax_rate = TaxRate.add(**values)
    data = {"name": tax_rate.name, "rate": money.plain(tax_rate.rate), "category": tax_rate.category}
    events.write("tax_rate.created", "tax_rate", tax_rate.id, data | replaced)
    return tax_rate


def change(id: str, body: TaxRateChange) -> TaxRate:
    """Change a tax rate; a new default replaces the old one.

    Raises:
        InUse: something in `FIXED` would change, but documents use the tax rate.
        UnknownReference: it names an account that is not in this workspace.
        Invalid: the percentage, reason or accounts do not fit.
    """
    tax_rate = TaxRate.find_to_change(id)
    sent = columns(body)
    if body.side is None:
        result = {name: sent.get(name, getattr(tax_rate, name)) for name in ("category", "rate", "tax_tag")}
        sent["side"] = usual_side(**result)
    values = changes.differing(tax_rate, sent)
    if (FIXED - _unsaid(tax_rate)) & values.keys() and _is_used(id):
        raise InUse(
            says(
                "Documents use this tax rate, so its percentages, category, side, tag, country, region and components "
                "cannot change. Create a new tax rate and archive this one."
            )
        )
    result = {name: values.get(name, getattr(tax_rate, name)) for name in TaxRateChange.__struct_fields__}
    values = changes.differing(tax_rate, _checked(values, result))
    if values.get("is_default") and tax_rate.archived_at is not None:
        raise Invalid.one(
            "isDefault", "archived", says("An archived tax rate cannot be the default. Unarchive the tax rate first.")
        )
    if values:
        replaced = _unset_default() if values.get("is_default") else {}
        data = {"name": tax_rate.name, "changes": changes.before_and_after(tax_rate, values)}
        tax_rate.change(**values)
        events.write("tax_rate.updated", "tax_rate", id, data | replaced)
    return tax_rate


def _unsaid(tax_rate: TaxRate) -> set[str]:
    """The kind of reverse charge that has none, and the net tax rate of a rate without one."""
    names = {"net_tax_rate"} if tax_rate.net_tax_rate is None else set()
    return names | ({"tax_tag"} if tag_of(tax_rate.category, tax_rate.tax_tag) == UNSORTED else set())


def remove(id: str) -> None:
    """Delete an unused tax rate.

    Raises:
        InUse: a document or a contact names it.
    """
    tax_rate = TaxRate.find_to_change(id)
    refusal = says(
        "Documents, contacts or products use this tax rate, so it cannot be deleted. Archive the tax rate instead."
    )
    changes.delete(tax_rate, refusal, _event_data)


def archive(id: str) -> TaxRate:
    """Archive a tax rate, so that no new document can name it.

    Raises:
        InvalidTransition: it is already archived.
        InUse: it is the default.
    """
    tax_rate = TaxRate.find_to_change(id)
    if tax_rate.is_default:
        raise InUse(says("This is the default tax rate. Choose another default first."))
    return changes.archive(tax_rate, _event_data)


def unarchive(id: str) -> TaxRate:
    """Unarchive a tax rate, so that new documents can name it again.

    Raises:
        InvalidTransition: it is not archived.
        Invalid: an account that it names has been archived or turned into a group.
    """
    tax_rate = changes.unarchive(TaxRate.find_to_change(id), _event_data)
    named = {wire_name(column): getattr(tax_rate, column) for column in ACCOUNT_TYPES}
    refuse_any(accounts.look_up({field: id for field, id in named.items() if id is not None})[1], Noun("account"))
    return tax_rate


def columns(body: NewTaxRate | TaxRateChange) -> dict[str, Any]:
    """The sent fields, as columns; accounts may still be codes."""
    values = body.changes()
    if body.components:
        values["components"] = [{"name": part.name, "rate": _percent(part.rate)} for part in body.components]
    elif body.components == []:
        values["components"] = None
    scaled = {name: money.scaled(values[name], money.MICRO) for name in _PERCENTS if values.get(name) is not None}
    return values | scaled


def _percent(rate: Decimal) -> str:
    return money.plain(money.scaled(rate, money.MICRO))


def tag_of(category: str, tag: str | None) -> str:
    """The kind of a rate in tax returns."""
    return tag or TAGS[category]


def usual_side(category: str, rate: int, tax_tag: str | None = None) -> TaxSide:
    """The documents that a rate is for unless it says otherwise: the buyer's tax is above 0, the seller's rate is 0."""
    if category in OWED_BY_BUYER:
        return "purchase" if rate else "sale"
    return "sale" if category == "G" or tax_tag == "oss" else "both"


def _event_data(tax_rate: TaxRate) -> dict[str, Any]:
    return {"name": tax_rate.name}


def _unset_default() -> dict[str, str]:
    """Unset the present default; return its successor's event data about it."""
    present: TaxRate | None = TaxRate.get_or_none(TaxRate.is_default)
    if present is None:
        return {}
    present.change(is_default=False)
    return {"replacedDefaultId": present.id}


_USED = (
    "SELECT EXISTS (SELECT 1 FROM invoice_line WHERE tax_rate_id = ?)"
    " OR EXISTS (SELECT 1 FROM invoice_adjustment WHERE tax_rate_id = ?)"
    " OR EXISTS (SELECT 1 FROM invoice_tax WHERE tax_rate_id = ?)"
    " OR EXISTS (SELECT 1 FROM open_item WHERE tax_rate_id = ?)"
)


def _is_used(id: str) -> bool:
    return bool(WORKSPACE.rows(_USED, (id, id, id, id))[0][0])


def _checked(values: dict[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Check the values of a new or changed tax rate; return them with ids of accounts.

    Args:
        values: the values to write.
        result: all values of the tax rate after that.
    """
    fields = {column: wire_name(column) for column in ACCOUNT_TYPES if values.get(column)}
    by_field, complaints = accounts.look_up({field: values[column] for column, field in fields.items()})
    for column, field in fields.items():
        if field in by_field:
            complaints += _unfit(field, by_field[field], ACCOUNT_TYPES[column])
    refuse_any([*complaints, *_misfits(result)], Noun("account"))
    return values | {column: by_field[field].id for column, field in fields.items()}


def _unfit(field: str, account: AccountRef, type: str | None) -> Iterator[Complaint]:
    """Complain about an unfit account: one for tax has no required type."""
    base = workspace_settings.current().base_currency
    if type is None and account.needs_contact:
        message = says("Tax cannot be posted to receivables or payables. Choose another account.")
        yield Complaint(field, "wrong_account", message)
    elif type is not None and SUBTYPES[account.subtype] != type:
        message = says(
            "Account {code} has the wrong account type. Choose an account of the type {type}.",
            code=account.code,
            type=Word.of(type),
        )
        yield Complaint(field, "wrong_account", message)
    elif type is not None and account.currency != base:
        message = says(
            "Account {code} is in {currency}. Choose one in the base currency, {base}.",
            code=account.code,
            currency=account.currency,
            base=base,
        )
        yield Complaint(field, "wrong_currency", message)


def _misfits(result: Mapping[str, Any]) -> Iterator[Complaint]:
    category = result["category"]
    if result["rate"] and category not in (TAXED, *OWED_BY_BUYER):
        yield Complaint(
            "rate", "not_zero", says("Category {category} charges no tax. Set the percentage to 0.", category=category)
        )
    if result["exemption_reason"] and category not in WITH_REASON:
        message = says("Category {category} is not an exemption. Clear the reason.", category=category)
        yield Complaint("exemptionReason", "not_exempt", message)
    if result["tax_tag"] == "oss" and result["country"] is None:
        message = says("Choose the country whose tax it is: the one-stop shop reports by country.")
        yield Complaint("country", "required", message)
    if result["is_default"] and result["side"] != "both":
        message = says("The default tax rate must fit sales and purchases.")
        yield Complaint("isDefault", "wrong_side", message)
    parts = [money.scaled(Decimal(part["rate"]), money.MICRO) for part in result["components"] or ()]
    if parts and sum(parts) != result["rate"]:
        message = says(
            "The parts add up to {sum} %, but the tax rate has {percent} %. Correct one of them.",
            sum=Digits(money.plain(sum(parts))),
            percent=Digits(money.plain(result["rate"])),
        )
        yield Complaint("components", "components_differ", message)
