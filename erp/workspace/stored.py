"""Checks of the stored settings: would the API accept them? Another program may have written them."""

import json
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

import msgspec

from erp.finance.books.accounts import AccountRef
from erp.finance.books.chart import SUBTYPES
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.currencies import DIGITS
from erp.kernel.language import verbatim
from erp.kernel.wire import wire_name
from erp.store.router import WORKSPACE
from erp.store.workspace_settings import NUMBER_FORMATS
from erp.web import field_complaints
from erp.web.text_scalars import Bic, Iban, VatId
from erp.workspace import checks
from erp.workspace.settings import WorkspaceChange

LONGEST_SHOWN = 80
_ONLY_REPEATED = {kind.complaint[0] for kind in (Iban, Bic, VatId)}
"""A number that papers and files only repeat may have been entered under a laxer rule: the file is sound with it."""
_FACTS = frozenset(
    {"bill_approval", "bill_approved_time_only", "bills_need_account", "managers_see_margin"}
    | {"payroll_four_eyes", "prices_include_tax", "share_links", "tax_extension"}
)
_JSON = (
    *("address", "punch_rounding", "time_billing", "time_lock", "nacha", "number_formats", "weekend", "tax_basis"),
    "reminders",
)
_ELSEWHERE = ("name", "default_accounts")
"""Fields that a request changes together with the settings, but that are stored elsewhere."""


def faults() -> list[str]:
    """A sentence about each setting of the open file that no request could have set."""
    rows = _rows()
    if len(rows) != 1:
        return [f"It has {len(rows)} rows of settings, not one."]
    (row,) = rows
    sent, sentences = _as_sent(row)
    complaints = Complaints()
    complaints.items += [item for item in field_complaints.of(sent, WorkspaceChange) if item.code not in _ONLY_REPEATED]
    if not complaints.items and not sentences:
        _check_together(sent, complaints)
    sentences += [
        f"Its setting {item.field} is {_shown(sent, item.field)}. {item.message}" for item in complaints.items
    ]
    return [*sentences, *_lock_date(row), *_default_accounts()]


def _rows() -> list[dict[str, Any]]:
    cursor = WORKSPACE.run("SELECT * FROM settings")
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, values, strict=True)) for values in cursor]


def _as_sent(row: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The settings as a request would send them, and sentences about unreadable ones."""
    sent, sentences = {}, []
    for field in msgspec.structs.fields(WorkspaceChange):
        if field.name in row and field.name not in _ELSEWHERE:
            try:
                sent[field.encode_name] = _value(field.name, row)
            except ValueError:
                sentences.append(f"Its setting {field.encode_name} cannot be read: {_cut(repr(row[field.name]))}.")
    return sent, sentences


def _value(name: str, row: Mapping[str, Any]) -> Any:
    value = row[name]
    if name in _JSON and value is not None:
        value = json.loads(value)
    if name == "address" and isinstance(value, dict):
        return {wire_name(part): text for part, text in value.items()}
    if name in _FACTS and value in (0, 1):
        return bool(value)
    if (
        name in ("cash_rounding", "small_difference_limit", "low_value_limit")
        and isinstance(value, int)
        and row["base_currency"] in DIGITS
    ):
        return money.text(value, row["base_currency"])
    return value


def _check_together(sent: Mapping[str, Any], complaints: Complaints) -> None:
    """Check the rules between several values."""
    checks.check_stored(sent, complaints)
    for series in NUMBER_FORMATS.keys() - sent["numberFormats"].keys():
        complaints.add(f"numberFormats.{series}", "required", verbatim("Every number series must have a format."))


def _shown(sent: Mapping[str, Any], path: str) -> str:
    value: Any = sent
    for part in path.replace("[", ".").replace("]", "").split("."):
        if isinstance(value, dict):
            value = value.get(part, "missing")
        elif isinstance(value, list) and part.isdigit():
            value = value[int(part)]
    return "missing" if value == "missing" else _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"


def _lock_date(row: Mapping[str, Any]) -> Iterator[str]:
    try:
        date.fromisoformat(row["lock_date"] or "2000-01-01")
    except (TypeError, ValueError):
        yield f"Its setting lockDate is {_cut(repr(row['lock_date']))}. It must be a day, such as 2026-12-31."


_DEFAULTS = """
SELECT key, account.id, code, subtype, currency FROM default_account JOIN account ON account.id = account_id
"""


def _default_accounts() -> list[str]:
    complaints = Complaints()
    for key, *account in WORKSPACE.rows(_DEFAULTS):
        reference = AccountRef(*account)
        if reference.subtype in SUBTYPES:
            checks.check_fits(key, reference, complaints)
    return [f"Its setting {item.field} does not fit. {item.message}" for item in complaints.items]
