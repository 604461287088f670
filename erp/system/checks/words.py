"""Words for the tables, columns and values of a workspace's file, in findings."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from erp.kernel import money
from erp.kernel.currencies import DIGITS
from erp.kernel.money import RATE_SCALE
from erp.store.router import WORKSPACE


class Named(NamedTuple):
    """The words for a row: a noun, and the columns of its name."""

    noun: str
    form: str = "{name}"


NAMES = {
    "account": Named("account", "{code}"),
    "allocation": Named("allocation", "of {from_item_id} to {to_item_id}"),
    "asset": Named("asset", "{number}"),
    "asset_account": Named("depreciation accounts", "of {id}"),
    "attachment": Named("file"),
    "attendance_correction": Named("attendance correction", "of {employee_id} for {date}"),
    "attendance_record": Named("attendance", "of {employee_id} on {date}"),
    "column_mapping": Named("column mapping"),
    "compensation": Named("pay", "of {employee_id} from {effective_from}"),
    "bank_counterparty": Named("IBAN", "of {contact_id}"),
    "bank_feed": Named("bank account", "of {account_id}"),
    "bank_line": Named("line", "of a bank statement of {date}"),
    "bank_match": Named("match", "{id}"),
    "bank_rule": Named("bank rule", "{text}"),
    "bank_statement": Named("bank statement", "of {account_id} until {date_to}"),
    "comparison_balance": Named("comparison balance", "of {account_id} in {month}"),
    "budget": Named("budget", "{name} of {year}"),
    "budget_line": Named("line", "{position} of budget {budget_id}"),
    "contact": Named("contact"),
    "cost_rate": Named("cost rate", "of {employee_id} from {effective_from}"),
    "datev_stack": Named("DATEV stack", "of {date_from} to {date_to}"),
    "deposit_receipt": Named("receipt", "of deposit invoice {invoice_id}"),
    "billable_expense": Named("billed expense", "{description}"),
    "deduction": Named("deduction", "from {subject} on {date}"),
    "deduction_part": Named("part", "{position} of deduction {deduction_id}"),
    "default_account": Named("default account", "{id}"),
    "contact_offset": Named("offset", "{number}"),
    "depreciation": Named("depreciation", "of {asset_id} on {date}"),
    "depreciation_run": Named("depreciation run", "{number}"),
    "dimension": Named("dimension", "{code}"),
    "dimension_value": Named("value", "{code} of dimension {dimension_id}"),
    "employee": Named("employee"),
    "employee_document": Named("document", "of {employee_id}"),
    "employment": Named("employment", "of {employee_id} from {starts_on}"),
    "exchange_rate": Named("exchange rate", "of {currency} on {date}"),
    "expense_category": Named("expense category"),
    "expense_claim": Named("expense claim", "{title}"),
    "expense_line": Named("line", "{position} of expense claim {claim_id}"),
    "expense_rate": Named("expense rate", "of {country} from {valid_from}"),
    "expense_tax": Named("tax", "of expense claim entry {entry_id}"),
    "holiday": Named("holiday", "{name} on {date}"),
    "invoice": Named("invoice", "{number}"),
    "invoice_adjustment": Named("allowance or charge", "{position} of invoice {invoice_id}"),
    "invoice_deposit": Named("deposit", "{position} of invoice {invoice_id}"),
    "invoice_line": Named("line", "{position} of invoice {invoice_id}"),
    "invoice_tax": Named("tax", "{position} of invoice {invoice_id}"),
    "leave_application": Named("leave", "of {employee_id} from {start_date}"),
    "leave_entry": Named("leave ledger entry", "of {employee_id} on {date}"),
    "leave_type": Named("leave type"),
    "leave_year": Named("leave year", "{id}"),
    "list_view": Named("view", "{name} of {page}"),
    "open_item": Named("open item", "of {number}"),
    "pay_component": Named("pay component", "{code}"),
    "payment": Named("payment", "{number}"),
    "payment_run": Named("payment run", "{number}"),
    "payment_run_credit": Named("credit of a payment run", "{id}"),
    "payment_run_transfer": Named("transfer", "for {remittance}"),
    "payroll_run": Named("payroll run", "{number}"),
    "opening_year": Named("opening year", "of {employee_id} in {year}"),
    "payslip": Named("payslip", "of {employee_id} in payroll run {run_id}"),
    "process_chapter": Named("chapter", "{title}"),
    "process_wording": Named("wording", "{number} of chapter {chapter_id}"),
    "product": Named("product"),
    "project": Named("project", "{code}"),
    "quote": Named("quote", "{number}"),
    "quote_adjustment": Named("allowance or charge", "{position} of quote {quote_id}"),
    "quote_line": Named("line", "{position} of quote {quote_id}"),
    "recurring_document": Named("recurring document"),
    "recurring_occurrence": Named("occurrence", "of recurring document {recurring_id} on {date}"),
    "base_rate": Named("base rate", "from {valid_from}"),
    "reminder": Named("reminder", "{number}"),
    "reminder_block": Named("block from reminders", "of {resource_id}"),
    "reminder_charge": Named("charge", "of reminder {reminder_id}"),
    "reminder_charge_item": Named("part of a charge", "of item {item_id}"),
    "reminder_item": Named("item", "{number} of reminder {reminder_id}"),
    "reminder_level": Named("reminder level"),
    "revaluation": Named("revaluation", "{number}"),
    "settings": Named("settings", ""),
    "site": Named("site"),
    "task": Named("task", "{key}"),
    "task_comment": Named("comment", "on task {task_id}"),
    "tax_rate": Named("tax rate"),
    "tax_return": Named("tax return", "from {date_from} to {date_to}"),
    "time_log": Named("time log", "of {date} on task {task_id}"),
    "transfer": Named("transfer", "{number}"),
    "wage_export": Named("wage export", "{number}"),
    "wage_type": Named("wage type", "{wage_type}"),
    "work_schedule": Named("work schedule", "of {employee_id} from {effective_from}"),
}
"""Tables that are not here go by their name and the id of the row."""

_REFERENCES = {
    "account_id": "SELECT code FROM account WHERE id = ?",
    "asset_id": "SELECT number FROM asset WHERE id = ?",
    "budget_id": "SELECT name FROM budget WHERE id = ?",
    "contact_id": "SELECT name FROM contact WHERE id = ?",
    "dimension_id": "SELECT code FROM dimension WHERE id = ?",
    "employee_id": "SELECT name FROM employee WHERE id = ?",
    "deposit_id": "SELECT coalesce(number, 'draft') FROM invoice WHERE id = ?",
    "invoice_id": "SELECT coalesce(number, 'draft') FROM invoice WHERE id = ?",
    "item_id": "SELECT number FROM open_item WHERE id = ?",
    "product_id": "SELECT name FROM product WHERE id = ?",
    "project_id": "SELECT code FROM project WHERE id = ?",
    "quote_id": "SELECT coalesce(number, 'draft') FROM quote WHERE id = ?",
    "recurring_id": "SELECT name FROM recurring_document WHERE id = ?",
    "reminder_id": "SELECT number FROM reminder WHERE id = ?",
    "run_id": "SELECT number FROM payroll_run WHERE id = ?",
    "task_id": "SELECT key FROM task WHERE id = ?",
    "tax_rate_id": "SELECT name FROM tax_rate WHERE id = ?",
}
"""The words for an id, by the end of the column's name."""

_ALIASES = {"customer_id": "contact_id", "manager_employee_id": "employee_id", "parent_id": ""}
_MILLIONTHS = frozenset(
    {"quantity", "price_base_quantity", "percent", "discount_percent"}
    | {"deductible_tax_percent", "deductible_cost_percent"}
)
_HUNDREDTHS = frozenset({"days", "allowance_days", "carry_forward_max_days", "balance_before", "balance_after"})
_AMOUNTS = frozenset(
    {"amount", "subtotal", "discount_total", "charge_total", "tax_total", "rounding_amount", "total", "fee_amount"}
    | {"deposit_total", "accepted_net", "accepted_tax", "accepted_total", "accepted_amount"}
    | {
        "discount_amount",
        "given_amount",
        "base",
        "net",
        "tax",
        "gross",
        "fixed_price",
        "budget_amount",
        "cash_rounding",
        "small_difference_limit",
        "low_value_limit",
        "non_deductible_tax",
        "non_deductible_cost",
        "own_amount",
        "reverse_charge",
    }
)
_BASE_AMOUNTS = frozenset(
    {
        "exchange_difference",
        "base_amount",
        "payable",
        "base_total",
        "base_net",
        "base_tax",
        "from_base",
        "to_base",
        "hourly_rate",
        "fixed_price",
        "budget_amount",
    }
    | {"cash_rounding", "small_difference_limit", "low_value_limit", "base_cap", "amount_cap"}
)


_INVOICE_PARTS = ("invoice_line", "invoice_adjustment", "invoice_tax", "invoice_deposit")
_QUOTE_PARTS = ("quote_line", "quote_adjustment")


def name(table: str, id: str, values: Mapping[str, Any]) -> str:
    """The words for a row, such as `invoice INV-2026-00001`."""
    named = NAMES.get(table, Named(table.replace("_", " "), "{id}"))
    names = {column: shown(table, column, value, values) for column, value in values.items()}
    if table == "deduction":
        names["subject"] = names.get("of_item_id" if values.get("invoice_id") is None else "invoice_id", "?")
    if table in ("invoice", "quote") and values.get("number") is None:
        names["number"] = f"draft {id}"
    if table in (*_INVOICE_PARTS, *_QUOTE_PARTS) and isinstance(values.get("position"), int):
        names["position"] = str(values["position"] + 1)
    return f"{named.noun} {named.form.format_map(_Gaps(names, id=id))}".rstrip()


class _Gaps(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "?"


def field(column: str) -> str:
    return column.removesuffix("_id").replace("_", " ")


def shown(table: str, column: str, value: object, row: Mapping[str, Any]) -> str:
    """A value in words."""
    if value is None:
        return "empty"
    if isinstance(value, str) and column.endswith("_id"):
        return _referred(column, value)
    if isinstance(value, int):
        return _number(table, column, value, row)
    return ", ".join(map(str, value)) or "empty" if isinstance(value, list) else str(value)


def _referred(column: str, id: str) -> str:
    query = next((_REFERENCES[end] for end in _REFERENCES if _ALIASES.get(column, column).endswith(end)), None)
    rows = WORKSPACE.rows(query, (id,)) if query is not None else []
    return str(rows[0][0]) if rows else id


def _number(table: str, column: str, value: int, row: Mapping[str, Any]) -> str:
    if column == "exchange_rate" or (table, column) == ("exchange_rate", "rate"):
        return money.plain(value, RATE_SCALE)
    if column in _MILLIONTHS or (table, column) in (("tax_rate", "rate"), ("invoice_tax", "rate")):
        return money.plain(value)
    if column in _HUNDREDTHS:
        return f"{value / 100:g}"
    currency = _base_currency() if column in _BASE_AMOUNTS else row.get("currency") if column in _AMOUNTS else None
    return money.text(value, currency) if currency in DIGITS else str(value)


def _base_currency() -> str:
    ((currency,),) = WORKSPACE.rows("SELECT base_currency FROM settings")
    return str(currency)
