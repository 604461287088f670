"""Tax returns over HTTP: shown, filed, and settled."""

from erp.finance.books import ledger, periods
from erp.finance.reports.table.tree import ReportTree
from erp.finance.reports.tax import details, ec_sales, returns, settling, views
from erp.finance.reports.tax.bodies import Settlement, SettlementUndo, TaxReturnFilter
from erp.finance.reports.tax.models import TaxReturn
from erp.finance.reports.tax.queries import TaxDaysQuery, TaxDocumentsQuery, TaxReturnQuery
from erp.finance.reports.tax.views import TaxReturnView
from erp.kernel.errors import BadParameter, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Report:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TaxReturnQuery) -> ReportTree:
        """Show the tax return of some days.

        Without days, it shows this month. Each box is what documents come to at the rates that bear its tags, on their
        tax dates, or by cash when they are paid; its figures lead to those documents. Bases are cut to whole units
        towards zero where the form has no cents. Days that have been filed show what was filed beside it. At the end,
        `difference` says what the accounts of tax hold beyond the documents.
        """
        return returns.of(query)


class Documents:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TaxDocumentsQuery) -> ReportTree:
        """List the documents behind a box of a tax return, with what each adds to it before anything is cut."""
        return details.of(query)


class EcSalesList:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TaxDaysQuery) -> ReportTree:
        """Show the EC sales list: what firms in other countries of the EU bought without tax, by VAT id.

        Without days, it shows this month. It goes by accrual, whatever the basis of the return is.
        """
        return ec_sales.of(query)


class Collection:
    """Filing is in `closing`, because it can lock the books as well."""

    @endpoint(permission="finance.read")
    def on_get(self, query: TaxReturnFilter) -> Page[TaxReturnView]:
        """List filed tax returns, with what has changed since."""
        return views.search(query)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> TaxReturnView:
        """Show a filed tax return, with what its boxes would show now."""
        return TaxReturnView.of(TaxReturn.find(id))


class Settle:
    @endpoint(
        permission="finance.write",
        refuses=(
            InvalidTransition,
            settling.Outdated,
            UnknownReference,
            periods.PeriodLocked,
            periods.DateInFuture,
            ledger.AccountClosed,
            ledger.AmountOutOfRange,
        ),
    )
    def on_post(self, id: str, body: Settlement) -> TaxReturnView:
        """Post what a tax return comes to: the accounts of tax against the account of what is owed.

        What other days count stays where it is. Cents that the form cuts go to the rounding differences. A correction
        moves what its figures differ by from what has been settled.
        """
        return TaxReturnView.of(settling.settle(id, body))


class SettleUndo:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, periods.PeriodLocked, ledger.DatedTooEarly))
    def on_post(self, id: str, body: SettlementUndo) -> TaxReturnView:
        """Take back the settlement of a tax return: its entry is reversed."""
        return TaxReturnView.of(settling.undo(id, body))
