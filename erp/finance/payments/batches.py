"""Several payments at once: all or none, with what is wrong by its row."""

from msgspec.structs import replace

from erp.finance.payments import recording
from erp.finance.payments.bodies import PaymentBatch
from erp.finance.payments.models import Payment
from erp.kernel.errors import Complaint, Invalid, Refusal


def record(body: PaymentBatch) -> list[Payment]:
    """Record payments in their order, so that each finds invoices as those before it leave them.

    Raises:
        Invalid: with a complaint for every row that cannot be recorded; the request then leaves none of them.
    """
    payments: list[Payment] = []
    complaints: list[Complaint] = []
    for i, new in enumerate(body.payments):
        try:
            payments.append(recording.record(new))
        except Refusal as refusal:
            complaints += _of_row(refusal, f"payments[{i}]")
    if complaints:
        raise Invalid(complaints)
    return payments


def _of_row(refusal: Refusal, path: str) -> list[Complaint]:
    """What a refusal says of a row; one of the server itself goes on."""
    if refusal.status >= 500:
        raise refusal
    if not refusal.details:
        return [Complaint(path, refusal.code, refusal.message)]
    return [replace(complaint, field=f"{path}.{complaint.field}") for complaint in refusal.details]
