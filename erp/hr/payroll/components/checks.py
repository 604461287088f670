"""Checks of a pay component, all complaints at once."""

from collections.abc import Iterator, Mapping
from typing import Any

from erp.finance.books.accounts import AccountRef
from erp.finance.books.chart import SUBTYPES
from erp.kernel.errors import Complaint
from erp.kernel.language import says

_AMOUNTS = ("fixed", "per_hour")
_PERCENTAGES = ("percent_of_base", "percent_of_gross")
_ASSESSED = (*_PERCENTAGES, "brackets")
_NEEDED_BY = {
    "amount": _AMOUNTS,
    "percent": _PERCENTAGES,
    "brackets": ("brackets",),
    "overtime": ("overtime",),
}
"""The fields that calculations need."""

_PERSONAL = ("amount", "percent")
"""Fields that can be left to each employee's pay, but not for components that apply to all."""

_OPTIONS = {
    "base_cap": ("baseCap", _ASSESSED),
    "is_prorated": ("isProrated", ("fixed",)),
}


def check(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    """The complaints about a component, except for its accounts.

    Args:
        whole: all of its columns as they will be.
    """
    yield from _needs(whole)
    yield from _kinds(whole)
    yield from _years(whole)
    yield from _brackets(whole["brackets"] or [])


def _needs(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    calculation = whole["calculation"]
    for field, users in _NEEDED_BY.items():
        if whole[field] is not None and calculation not in users:
            yield _not_applicable(field, calculation)
        optional = field in _PERSONAL and not whole["applies_to_all"]
        if whole[field] is None and calculation in users and not optional:
            yield Complaint(field, "required", says("The calculation {calculation} needs it.", calculation=calculation))
    for column, (field, users) in _OPTIONS.items():
        if whole[column] and calculation not in users:
            yield _not_applicable(field, calculation)


def _not_applicable(field: str, calculation: str) -> Complaint:
    return Complaint(
        field,
        "not_applicable",
        says("Not used by the calculation {calculation}. Clear the field.", calculation=calculation),
    )


def _kinds(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    kind, calculation = whole["kind"], whole["calculation"]
    if kind == "earning" and calculation in ("percent_of_gross", "brackets"):
        message = says(
            "The calculation {calculation} is only for deductions and employer contributions.", calculation=calculation
        )
        yield Complaint("calculation", "wrong_kind", message)
    if kind != "earning" and calculation == "overtime":
        yield Complaint("calculation", "wrong_kind", says("The calculation overtime is only for earnings."))
    if whole["is_pre_tax"] and (kind != "deduction" or calculation == "brackets"):
        message = says("Only deductions without brackets can be deducted before tax.")
        yield Complaint("isPreTax", "not_applicable", message)


def _years(whole: Mapping[str, Any]) -> Iterator[Complaint]:
    if whole["method"] == "cumulative" and whole["bracket_period"] != "year":
        yield Complaint("bracketPeriod", "not_a_year", says("The method cumulative needs a `bracketPeriod` of year."))
    if whole["bracket_period"] == "year" and whole["calculation"] not in _ASSESSED:
        yield _not_applicable("bracketPeriod", whole["calculation"])


def _brackets(brackets: list[dict[str, Any]]) -> Iterator[Complaint]:
    last, previous = len(brackets) - 1, 0
    for index, bracket in enumerate(brackets):
        field, end = f"brackets[{index}].upTo", bracket["upTo"]
        if end is None and index < last:
            yield Complaint(field, "required", says("Every bracket except the last needs an end."))
        if end is not None and index == last:
            yield Complaint(
                field, "not_empty", says("Clear the end of the last bracket, so that the brackets cover all pay.")
            )
        if end is not None and end <= previous:
            yield Complaint(field, "not_increasing", says("Must be more than the end of the previous bracket."))
        previous = max(previous, end or 0)


def wrong_accounts(kind: str, named: Mapping[str, AccountRef]) -> Iterator[Complaint]:
    """The complaints about the accounts that a component names.

    Args:
        named: accounts by the field that names them.
    """
    for field, account in named.items():
        type_ = SUBTYPES[account.subtype]
        if field == "expenseAccountId" and kind == "deduction":
            message = says("A deduction is not an expense. Choose a liability account instead.")
            yield Complaint(field, "not_applicable", message)
        elif field == "expenseAccountId" and type_ != "expense":
            yield Complaint(field, "wrong_account", says("Must be an expense account."))
        elif field == "liabilityAccountId" and kind == "earning":
            message = says("An earning has no liability account: net pay is owed as one amount. Clear the account.")
            yield Complaint(field, "not_applicable", message)
        elif field == "liabilityAccountId" and (type_ not in ("liability", "asset") or account.needs_contact):
            message = says(
                "Must be a liability or an asset such as loans to employees, but not a receivable or payable."
            )
            yield Complaint(field, "wrong_account", message)
