"""Giving postings their dimensions: what a request names, else defaults, and nothing where it is required."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from erp.finance.books.dimensions.codes import Dimensions, of_text, stored
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Complaint
from erp.kernel.language import Noun, says
from erp.store import sql
from erp.store.router import WORKSPACE

MEMO = "dimensions"


class Known(msgspec.Struct, frozen=True):
    """A dimension with its values by code: whether each is archived, and its name."""

    code: str
    name: str
    is_archived: bool
    required_for: Sequence[Mapping[str, str]]
    values: Mapping[str, bool]
    names: Mapping[str, str]

    def is_required(self, account_code: str) -> bool:
        """Whether postings to an account need a value: its code, cut to the length of the end, is in a range."""
        return any(
            span["from"] <= account_code and account_code[: len(span["to"])] <= span["to"] for span in self.required_for
        )

    def has(self, value: str) -> bool:
        """Whether there is such a value, and it is not archived."""
        return not self.values.get(value, True)


class Assigned(NamedTuple):
    """A posting before it is written: its account, its dimensions as stored, and the path of its line.

    The path is None where a request names no dimensions for it, and empty where the request itself names them.
    """

    account_id: str
    dimensions: str | None
    path: str | None


def known() -> Mapping[str, Known]:
    """All dimensions by their codes; one query in a scope, and another for the values if there are any."""
    return WORKSPACE.memo(MEMO, _read)


def _read() -> dict[str, Known]:
    dimensions = WORKSPACE.rows(_DIMENSIONS)
    values: dict[str, dict[str, bool]] = {}
    names: dict[str, dict[str, str]] = {}
    for id, code, name, is_archived in WORKSPACE.rows(_VALUES) if dimensions else ():
        values.setdefault(id, {})[code] = bool(is_archived)
        names.setdefault(id, {})[code] = name
    return {
        code: Known(code, name, bool(is_archived), json.loads(required_for), values.get(id, {}), names.get(id, {}))
        for id, code, name, is_archived, required_for in dimensions
    }


def check(named: Mapping[str, Dimensions | None], complaints: Complaints) -> None:
    """Complain of unknown and archived dimensions and values, by the paths of the fields that name them."""
    for field, dimensions in named.items():
        for code, value in (dimensions.codes if dimensions else {}).items():
            dimension, path = known().get(code), f"{field}.{code}"
            if dimension is None:
                complaints.unknown(path, Noun("dimension"))
            elif value not in dimension.values:
                complaints.unknown(path, Noun("dimension value"))
            elif dimension.is_archived or dimension.values[value]:
                archived = dimension.name if dimension.is_archived else f"{dimension.name} {value}"
                complaints.add(path, "archived", says("{name} is archived.", name=archived))


def as_columns(values: dict[str, Any]) -> dict[str, Any]:
    """The fields of a request, its dimensions as they are stored.

    Raises:
        Invalid: a dimension or a value is unknown or archived.
    """
    if "dimensions" not in values:
        return values
    complaints = Complaints()
    check({"dimensions": values["dimensions"]}, complaints)
    complaints.refuse()
    return values | {"dimensions": stored(values["dimensions"])}


def merged(*sources: str | None) -> str | None:
    """Stored dimensions completed by defaults, the nearest first; a default that is archived does not count."""
    own, *defaults = map(of_text, sources)
    for default in defaults:
        own = {code: value for code, value in default.items() if _is_live(code, value)} | own
    return stored(own)


def _is_live(code: str, value: str) -> bool:
    dimension = known().get(code)
    return dimension is not None and not dimension.is_archived and dimension.has(value)


def of_departments() -> dict[str, str | None]:
    """The default dimensions of departments as stored, by their names; archived values are left out."""
    codes: dict[str, dict[str, str]] = {}
    for code, value, departments in WORKSPACE.rows(_DEPARTMENTS):
        for department in json.loads(departments):
            codes.setdefault(department, {})[code] = value
    return {department: stored(own) for department, own in codes.items()}


def of_accounts(ids: Iterable[str]) -> dict[str, str | None]:
    """The default dimensions of accounts as stored; nothing without any dimension."""
    if not known():
        return {}
    return {id: text for id, _, _, text in WORKSPACE.rows(_ACCOUNTS, (sql.array({*ids}),))}


def of_datev() -> dict[str, str]:
    """The codes of the dimensions that fill a field for DATEV, by that field."""
    return dict(WORKSPACE.rows(_OF_DATEV))


def assign(postings: Sequence[Assigned]) -> tuple[list[str | None], list[Complaint]]:
    """The dimensions to post, with the defaults of accounts, and a complaint for each that lacks a required one.

    Postings to accounts of neither income nor expenses have none.
    """
    if not known():
        return [None] * len(postings), []
    accounts = {id: row for id, *row in WORKSPACE.rows(_ACCOUNTS, (sql.array({each.account_id for each in postings}),))}
    result: list[str | None] = []
    complaints: list[Complaint] = []
    for posting in postings:
        code, is_result, default = accounts.get(posting.account_id, ("", False, None))
        text = merged(posting.dimensions, default) if is_result else None
        result.append(text)
        if is_result:
            complaints += _lacking(code, of_text(text), posting.path)
    return result, complaints


def _lacking(account_code: str, named: Mapping[str, str], path: str | None) -> Iterable[Complaint]:
    field = f"{path}.dimensions" if path else "dimensions"
    for dimension in known().values():
        if not dimension.is_archived and dimension.code not in named and dimension.is_required(account_code):
            names = {"code": account_code, "dimension": dimension.name}
            message = (
                says("Account {code} needs a {dimension}. Give the account one.", **names)
                if path is None
                else says("Account {code} needs a {dimension}. Choose one, or give the account one.", **names)
            )
            yield Complaint(f"{field}.{dimension.code}", "dimension_required", message)


_DIMENSIONS = "SELECT id, code, name, archived_at IS NOT NULL, required_for FROM dimension ORDER BY code"
_OF_DATEV = "SELECT datev, code FROM dimension WHERE datev IS NOT NULL AND archived_at IS NULL"
_DEPARTMENTS = (
    "SELECT d.code, v.code, v.departments FROM dimension_value AS v JOIN dimension AS d ON d.id = v.dimension_id"
    " WHERE v.departments <> '[]' AND v.archived_at IS NULL AND d.archived_at IS NULL"
)
_VALUES = "SELECT dimension_id, code, name, archived_at IS NOT NULL FROM dimension_value ORDER BY code"
_ACCOUNTS = (
    "SELECT id, code, type IN ('income', 'expense'), dimensions FROM account"
    " WHERE id IN (SELECT value FROM json_each(?))"
)
