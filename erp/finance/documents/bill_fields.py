"""The fields that only a bill has: they are refused on what we sell, and must fit each other."""

from collections.abc import Iterator, Mapping

from erp.finance.contacts.tax_rates import TaxRateRef
from erp.finance.documents import bill_taxes
from erp.finance.documents.bodies import InvoiceRequest
from erp.kernel.complaints import Complaints
from erp.kernel.wire import wire_name

_OF_DOCUMENT = ("supplier_number", "printed_tax")
_OF_LINE = ("deductible_tax_percent", "deductible_cost_percent", "non_deductible_account_id")


def read(
    request: InvoiceRequest, rates: Mapping[str, TaxRateRef | None], currency: str, complaints: Complaints
) -> dict[str, int]:
    """Check the fields; the tax that the supplier printed, in minor units by tax rate."""
    if request.is_purchase:
        _check_deductible(request, complaints)
        return bill_taxes.read_printed(request, rates, currency, complaints)
    for field in _sent(request):
        complaints.add(field, "not_needed", "Only a bill has this. Leave it out.")
    return {}


def _sent(request: InvoiceRequest) -> Iterator[str]:
    yield from (wire_name(name) for name in _OF_DOCUMENT if getattr(request, name) is not None)
    for i, line in enumerate(request.lines):
        yield from (f"lines[{i}].{wire_name(name)}" for name in _OF_LINE if getattr(line, name) is not None)


def _check_deductible(request: InvoiceRequest, complaints: Complaints) -> None:
    for i, line in enumerate(request.lines):
        is_partly = line.deductible_cost_percent is not None and line.deductible_cost_percent < 100
        if is_partly and line.non_deductible_account_id is None:
            message = "Name the account for what is not a deductible cost."
            complaints.add(f"lines[{i}].nonDeductibleAccountId", "required", message)
