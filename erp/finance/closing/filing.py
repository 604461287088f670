"""Filing a tax return, and locking its days in the same call."""

from erp.finance.closing import findings, lock
from erp.finance.closing.lock import ReasonNeeded
from erp.finance.reports.tax import api, filing
from erp.finance.reports.tax.bodies import NewTaxReturn
from erp.finance.reports.tax.models import TaxReturn
from erp.finance.reports.tax.views import TaxReturnPreview, TaxReturnView, is_locked
from erp.kernel.errors import AlreadyExists
from erp.web.endpoint import endpoint


def file(body: NewTaxReturn) -> TaxReturn:
    """Mark a return as filed, and lock its days if requested and still open.

    Raises:
        ReasonNeeded: the days are to be locked, something is open in them, and no reason is given.
    """
    tax_return = filing.file(body)
    if body.lock and not is_locked(tax_return):
        lock.lock_through(body.date_to, body.lock_reason, findings.through(body.date_to), "lockReason")
    return tax_return


class TaxReturns(api.Collection):
    @endpoint(permission="finance.write", status=201, refuses=(AlreadyExists, ReasonNeeded))
    def on_post(self, body: NewTaxReturn) -> TaxReturnView | TaxReturnPreview:
        """Mark a tax return as filed, and keep its figures.

        They never change. Later changes in its days are shown beside them, and can be filed as a correction of the same
        days. With `lock`, the books are locked through the last day in the same call, so that nothing changes by
        mistake; while something is open there, that needs a `lockReason`. With `dryRun`, the answer is
        200 and shows the return; nothing is stored.
        """
        if body.dry_run:
            return TaxReturnPreview.of(filing.file(body))
        return TaxReturnView.of(file(body))
