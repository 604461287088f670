"""The accounts of a new workspace, and the types and subtypes of accounts.

The subtype is an account's purpose; the type alone decides which side increases it. Contra accounts (accumulated
depreciation, owner's drawings) have the normal side of their type and show a negative balance, so that every group of a
report is a plain sum.
"""

from typing import Literal

import msgspec
from peewee import DatabaseError

AccountType = Literal["asset", "liability", "equity", "income", "expense"]
Side = Literal["debit", "credit"]

NORMAL_BALANCE: dict[str, Side] = {
    "asset": "debit",
    "liability": "credit",
    "equity": "credit",
    "income": "credit",
    "expense": "debit",
}
"""The side on which an account's balance is shown as positive, by type."""

CONTROL_SUBTYPES = ("receivable", "payable")
"""Subtypes of accounts whose postings name a contact as debtor or creditor."""

_SUBTYPES_OF: dict[AccountType, str] = {
    "asset": "cash bank receivable inventory current_asset fixed_asset other_asset",
    "liability": "payable credit_card tax payroll_liability current_liability long_term_liability",
    "equity": "equity retained_earnings opening_balance",
    "income": "income other_income",
    "expense": "cost_of_sales expense payroll_expense other_expense",
}

SUBTYPES: dict[str, AccountType] = {
    subtype: kind for kind, subtypes in _SUBTYPES_OF.items() for subtype in subtypes.split()
}
"""The type of each subtype, in the order in which reports show them."""


class _Signs(dict[str, int]):
    """Signs by type; a type that is missing can only be in a damaged file, whose rules let no one write it."""

    def __missing__(self, type: str) -> int:
        raise DatabaseError(f"database disk image is malformed: an account has the type {type!r}")


NORMAL_SIGN = _Signs({type: 1 if side == "debit" else -1 for type, side in NORMAL_BALANCE.items()})
"""The factor of a balance for showing it, by the account's type: 1 for a debit balance, -1 for a credit one."""


class Seed(msgspec.Struct, frozen=True):
    """An account of a new workspace; `system_key` marks one that the program posts to automatically."""

    code: str
    name: str
    type: AccountType
    subtype: str
    system_key: str | None = None


def _seed(code: str, name: str, subtype: str, system_key: str | None = None) -> Seed:
    return Seed(code, name, SUBTYPES[subtype], subtype, system_key)


STANDARD: tuple[Seed, ...] = (
    _seed("1000", "Cash", "cash"),
    _seed("1010", "Bank", "bank", "bank"),
    _seed("1100", "Accounts receivable", "receivable", "receivable"),
    _seed("1150", "Doubtful receivables", "receivable", "doubtful_receivables"),
    _seed("1200", "Inventory", "inventory"),
    _seed("1300", "Input tax", "current_asset", "input_tax"),
    _seed("1400", "Prepaid expenses", "current_asset"),
    _seed("1450", "Deposits requested", "current_asset", "deposits_requested"),
    _seed("1500", "Equipment", "fixed_asset"),
    _seed("1590", "Accumulated depreciation", "fixed_asset", "accumulated_depreciation"),
    _seed("2000", "Accounts payable", "payable", "payable"),
    _seed("2050", "Employee expenses payable", "payable", "employee_payable"),
    _seed("2100", "Credit card", "credit_card", "company_card"),
    _seed("2200", "Sales tax payable", "tax", "tax"),
    _seed("2300", "Payroll payable", "payroll_liability", "payroll_payable"),
    _seed("2310", "Payroll taxes payable", "payroll_liability", "payroll_taxes"),
    _seed("2320", "Employee deductions payable", "payroll_liability", "employee_deductions"),
    _seed("2330", "Employer contributions payable", "payroll_liability", "employer_contributions"),
    _seed("2400", "Deposits received", "current_liability", "deposits_received"),
    _seed("2700", "Long-term loans", "long_term_liability"),
    _seed("3000", "Owner's capital", "equity"),
    _seed("3100", "Owner's drawings", "equity"),
    _seed("3200", "Retained earnings", "retained_earnings", "retained_earnings"),
    _seed("3900", "Opening balance equity", "opening_balance", "opening_balance"),
    _seed("4000", "Sales", "income", "sales"),
    _seed("4050", "Cash discounts given", "income", "discounts_given"),
    _seed("4100", "Services", "income"),
    _seed("4800", "Other income", "other_income"),
    _seed("4850", "Sales of assets", "other_income", "asset_sales"),
    _seed("4900", "Exchange gain or loss", "other_income", "exchange"),
    _seed("4910", "Rounding differences", "other_income", "rounding"),
    _seed("4920", "Realised exchange gains", "other_income", "realised_exchange_gains"),
    _seed("4930", "Unrealised exchange gains", "other_income", "unrealised_exchange_gains"),
    _seed("4940", "Small differences, gains", "other_income", "small_difference_gains"),
    _seed("4950", "Recovered debts", "other_income", "recovered_debts"),
    _seed("4960", "Reminder charges", "other_income", "reminder_charges"),
    _seed("4970", "Default interest", "other_income", "default_interest"),
    _seed("5000", "Cost of sales", "cost_of_sales", "cost_of_sales"),
    _seed("5050", "Cash discounts received", "cost_of_sales", "discounts_received"),
    _seed("6000", "Salaries and wages", "payroll_expense", "salaries"),
    _seed("6010", "Employer contributions", "payroll_expense", "employer_contributions_expense"),
    _seed("6100", "Rent", "expense"),
    _seed("6200", "Utilities", "expense"),
    _seed("6300", "Office supplies", "expense"),
    _seed("6400", "Travel", "expense", "travel_expenses"),
    _seed("6410", "Mileage", "expense", "mileage"),
    _seed("6420", "Per diems", "expense", "per_diems"),
    _seed("6500", "Professional fees", "expense"),
    _seed("6600", "Insurance", "expense"),
    _seed("6700", "Depreciation", "expense", "depreciation"),
    _seed("6710", "Low-value assets", "expense", "low_value_expense"),
    _seed("6720", "Pool depreciation", "expense", "pool_depreciation"),
    _seed("6800", "Bank charges", "expense", "bank_charges"),
    _seed("6850", "Bad debts", "expense", "bad_debts"),
    _seed("6900", "Other expenses", "other_expense"),
    _seed("6910", "Realised exchange losses", "other_expense", "realised_exchange_losses"),
    _seed("6920", "Unrealised exchange losses", "other_expense", "unrealised_exchange_losses"),
    _seed("6945", "Small differences, losses", "other_expense", "small_difference_losses"),
    _seed("6960", "Book value of disposed assets", "other_expense", "asset_disposals"),
)
"""The chart for any country, sorted by code."""
