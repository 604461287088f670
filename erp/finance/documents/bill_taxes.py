"""The tax of a bill: the printed tax, the tax that we owe in the supplier's place, and the non-deductible parts.

The fields that only a bill has are refused on sales documents, and must fit each other.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from erp.finance.contacts import tax_rates
from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.documents.commands import InvoiceCommand, LineCommand
from erp.finance.documents.totals import TAXED, Document, LineTotals, Totals, reverse_charges, with_taxes
from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.currencies import DIGITS
from erp.kernel.errors import Complaint
from erp.kernel.language import Digits, says
from erp.kernel.money import MICRO, divide
from erp.kernel.wire import wire_name
from erp.store import workspace_settings

TOLERANCE = 5
"""Greatest difference between the printed tax of a rate and ours, in hundredths of the major unit."""

_HUNDRED = 100 * MICRO


class NonDeductible(NamedTuple):
    """The non-deductible tax and cost of a line, in minor units; the cost goes to the account."""

    tax: int = 0
    cost: int = 0
    account_id: str | None = None


class BillTaxes(msgspec.Struct, frozen=True):
    """The taxes that a bill has in addition to its totals.

    `own` is our tax of each rate whose tax the supplier printed. `reverse` is the tax that we owe in the supplier's
    place on each line, then on each adjustment, by the sign of what it adds to the bill; `reverse_accounts` are the
    accounts that it is owed on, by rate; None for the default one.
    """

    own: Mapping[str | None, int]
    reverse: Sequence[int]
    reverse_accounts: Mapping[str, str | None]
    non_deductible: Sequence[NonDeductible]


_OF_DOCUMENT = ("supplier_number", "printed_tax")
_OF_LINE = ("deductible_tax_percent", "deductible_cost_percent", "non_deductible_account_id")


def read_fields(
    command: InvoiceCommand, rates: Mapping[str, TaxRateRef | None], complaints: Complaints
) -> dict[str, int]:
    """Check the fields; returns the tax that the supplier printed, in minor units by tax rate."""
    if command.is_purchase:
        _check_deductible(command, complaints)
        return _read_printed(command, rates, complaints)
    for field in _sent(command):
        complaints.add(field, "not_needed", says("Only for bills. Clear the field."))
    return {}


def with_method(command: InvoiceCommand) -> InvoiceCommand:
    """The command of a bill whose lines say that no tax is deducted, where tax is by net tax rates."""
    if not command.is_purchase or workspace_settings.current().tax_method != "net_rate":
        return command
    lines = [
        replace(line, deductible_tax_percent=0) if line.deductible_tax_percent is None else line
        for line in command.lines
    ]
    return replace(command, lines=lines)


def _sent(command: InvoiceCommand) -> Iterator[str]:
    yield from (wire_name(name) for name in _OF_DOCUMENT if getattr(command, name) is not None)
    for i, line in enumerate(command.lines):
        yield from (f"lines[{i}].{wire_name(name)}" for name in _OF_LINE if getattr(line, name) is not None)


def _check_deductible(command: InvoiceCommand, complaints: Complaints) -> None:
    for i, line in enumerate(command.lines):
        is_partly = line.deductible_cost_percent is not None and line.deductible_cost_percent < _HUNDRED
        if is_partly and line.non_deductible_account_id is None:
            message = says("Choose the account for the non-deductible part.")
            complaints.add(f"lines[{i}].nonDeductibleAccountId", "required", message)


def _read_printed(
    command: InvoiceCommand, rates: Mapping[str, TaxRateRef | None], complaints: Complaints
) -> dict[str, int]:
    """The tax that the supplier printed, in minor units by tax rate."""
    used = {rate.id: rate for rate in rates.values() if rate is not None}
    printed: dict[str, int] = {}
    for i, item in enumerate(command.printed_tax or ()):
        path, rate = f"printedTax[{i}]", used.get(item.tax_rate_id)
        if rate is None:
            complaints.items += _unused(f"{path}.taxRateId", item.tax_rate_id)
        elif rate.category != TAXED:
            message = says(
                "Suppliers charge no tax at {name} (category {category}). Clear the printed tax.",
                name=rate.name,
                category=rate.category,
            )
            complaints.add(f"{path}.taxRateId", "not_taxed", message)
        elif item.tax_rate_id in printed:
            complaints.add(f"{path}.taxRateId", "repeated", says("The printed tax of this rate appears twice."))
        else:
            printed[rate.id] = item.amount
    return printed


def _unused(field: str, rate_id: str) -> list[Complaint]:
    """The complaint about a tax rate that no line has: it does not exist, or does not apply here."""
    _, refused = tax_rates.look_up({field: rate_id})
    return refused or [
        Complaint(field, "not_applicable", says("No line of the bill has this tax rate. Clear the printed tax."))
    ]


def printed_totals(
    document: Document, totals: Totals, printed: Mapping[str, int], complaints: Complaints
) -> tuple[Totals, dict[str | None, int]]:
    """The totals with the printed tax, and our own tax of each rate with a printed one."""
    own = {rate.rate_id: rate.tax for group in totals.tax_breakdown for rate in group.rates if rate.rate_id in printed}
    most = max(TOLERANCE * 10 ** DIGITS[document.currency] // 100, 1)
    for i, (rate_id, amount) in enumerate(printed.items()):
        ours = own[rate_id]
        if abs(amount - ours) > most:
            theirs, computed, limit = (Digits(money.text(value, document.currency)) for value in (amount, ours, most))
            message = says(
                "The printed tax is {theirs}, but the calculated tax is {computed}; the difference "
                "exceeds {limit}. Check the lines and their tax rates.",
                theirs=theirs,
                computed=computed,
                limit=limit,
            )
            complaints.add(f"printedTax[{i}].amount", "too_far", message)
    complaints.refuse()
    differences = {rate_id: printed[rate_id] - ours for rate_id, ours in own.items() if rate_id is not None}
    return (with_taxes(document, totals, differences) if any(differences.values()) else totals), own


def taxes_of(
    document: Document,
    totals: Totals,
    rates: Mapping[str, TaxRateRef | None],
    *,
    own: Mapping[str | None, int],
    lines: Sequence[LineCommand],
    accounts: Sequence[str | None],
) -> BillTaxes:
    """The taxes that a bill has in addition to its totals.

    Args:
        own: our tax of each rate that the supplier printed.
        lines: of the command.
        accounts: for the non-deductible cost of each line.
    """
    reverse = reverse_charges(document, totals)
    pairs = zip(lines, totals.lines, reverse, accounts, strict=False)
    return BillTaxes(
        own=own,
        reverse=reverse,
        reverse_accounts={rate.id: rate.output_tax_account_id for rate in rates.values() if rate is not None},
        non_deductible=[_non_deductible(*pair) for pair in pairs],
    )


def _non_deductible(line: LineCommand, result: LineTotals, reverse: int, account_id: str | None) -> NonDeductible:
    tax, net = result.tax + reverse, result.net_after_discount
    percents = (line.deductible_tax_percent, line.deductible_cost_percent)
    of_tax, of_cost = (_HUNDRED if percent is None else percent for percent in percents)
    return NonDeductible(tax - divide(tax * of_tax, _HUNDRED), net - divide(net * of_cost, _HUNDRED), account_id)
