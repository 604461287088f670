"""What fits together in a pay component: all that is wrong with one, told at once."""

from collections.abc import Iterator, Mapping
from typing import Any

from erp.finance.books.accounts import AccountRef
from erp.finance.books.chart import SUBTYPES
from erp.kernel.errors import Complaint

_AMOUNTS = ("fixed", "per_hour")
_PERCENTAGES = ("percent_of_base", "percent_of_gross")
_ASSESSED = (*_PERCENTAGES, "brackets")
_NEEDED_BY = {
    "amount": _AMOUNTS,
    "percent": _PERCENTAGES,
    "brackets": ("brackets",),
    "overtime": ("overtime",),
}
"""What a calculation is reckoned with."""

_FOR_ALL = ("amount", "percent")
"""What may be left to each person's pay, but for components that everybody has."""

_OPTIONS = {
    "base_cap": ("baseCap", _ASSESSED),
    "prorated": ("prorated", ("fixed",)),
}


def misfits(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    """Everything that is wrong with a component.

    Args:
        whole: all of its columns as they will be.
    """
    yield from _figures(whole)
    yield from _kinds(whole)
    yield from _years(whole)
    yield from _brackets(whole["brackets"] or [])


def _figures(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    calculation = whole["calculation"]
    for field, users in _NEEDED_BY.items():
        if whole[field] is not None and calculation not in users:
            yield _stray(field, calculation)
        optional = field in _FOR_ALL and not whole["applies_to_all"]
        if whole[field] is None and calculation in users and not optional:
            yield Complaint(field, "required", f"A component of {calculation} needs it.")
    for column, (field, users) in _OPTIONS.items():
        if whole[column] and calculation not in users:
            yield _stray(field, calculation)


def _stray(field: str, calculation: str) -> Complaint:
    return Complaint(field, "not_applicable", f"A component of {calculation} is not reckoned with it.")


def _kinds(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    kind, calculation = whole["kind"], whole["calculation"]
    if kind == "earning" and calculation in ("percent_of_gross", "brackets"):
        message = f"{calculation} is for deductions and employer contributions."
        yield Complaint("calculation", "wrong_kind", message)
    if kind != "earning" and calculation == "overtime":
        yield Complaint("calculation", "wrong_kind", "overtime is for earnings.")
    if whole["pre_tax"] and (kind != "deduction" or calculation == "brackets"):
        yield Complaint("preTax", "not_applicable", "Only deductions that are no brackets are taken before tax.")


def _years(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    if whole["method"] == "cumulative" and whole["bracket_period"] != "year":
        yield Complaint("bracketPeriod", "not_a_year", "The method cumulative reckons by the year.")
    if whole["bracket_period"] == "year" and whole["calculation"] not in _ASSESSED:
        yield _stray("bracketPeriod", whole["calculation"])


def _brackets(brackets: list[dict[str, Any]]) -> Iterator[Complaint]:
    last, previous = len(brackets) - 1, 0
    for place, bracket in enumerate(brackets):
        field, end = f"brackets[{place}].upTo", bracket["upTo"]
        if end is None and place < last:
            yield Complaint(field, "required", "Only the last bracket has no end.")
        if end is not None and place == last:
            yield Complaint(field, "not_empty", "The last bracket has no end, so that all pay lies in one.")
        if end is not None and end <= previous:
            yield Complaint(field, "not_increasing", "Must be above the end of the bracket before.")
        previous = max(previous, end or 0)


def wrong_accounts(kind: str, named: Mapping[str, AccountRef]) -> Iterator[Complaint]:
    """What is wrong with the accounts that a component names.

    Args:
        named: accounts by the field that names them.
    """
    for field, account in named.items():
        type_ = SUBTYPES[account.subtype]
        if field == "expenseAccountId" and kind == "deduction":
            yield Complaint(field, "not_applicable", "A deduction is no expense; it has a liability account.")
        elif field == "expenseAccountId" and type_ != "expense":
            yield Complaint(field, "wrong_account", "Must be an expense account.")
        elif field == "liabilityAccountId" and kind == "earning":
            yield Complaint(field, "not_applicable", "An earning is an expense; net pay is owed for all of them.")
        elif field == "liabilityAccountId" and (type_ not in ("liability", "asset") or _needs_contact(account)):
            message = "Must be a liability, or an asset such as loans to employees, but not receivable or payable."
            yield Complaint(field, "wrong_account", message)


def _needs_contact(account: AccountRef) -> bool:
    return account.subtype in ("receivable", "payable")
