"""Several payments at once: all or none, with what is wrong by its row."""

from erp.finance.payments import recording
from erp.finance.payments.bodies import PaymentBatch
from erp.finance.payments.models import Payment
from erp.kernel.complaints import all_or_none


def record(body: PaymentBatch) -> list[Payment]:
    """Record payments in their order, so that each finds invoices as those before it leave them.

    Raises:
        Invalid: with a complaint for every row that cannot be recorded; the request then leaves none of them.
    """
    return all_or_none(body.payments, recording.record, "payments")
