"""VAT returns over HTTP: shown, filed, and posted as payable."""

from erp.finance.books import ledger, periods
from erp.finance.reports.table.tree import ReportTree
from erp.finance.reports.tax import (
    annual,
    details,
    ec_sales,
    ec_sales_file,
    elster,
    oss,
    returns,
    sales_tax,
    settling,
    views,
)
from erp.finance.reports.tax.annual import AnnualQuery
from erp.finance.reports.tax.bodies import Settlement, SettlementUndo, TaxReturnFilter
from erp.finance.reports.tax.ec_sales_file import NotGerman
from erp.finance.reports.tax.elster import ElsterNotSetUp, WrongForm
from erp.finance.reports.tax.models import TaxReturn
from erp.finance.reports.tax.queries import TaxDaysQuery, TaxDocumentsQuery, TaxReturnQuery
from erp.finance.reports.tax.views import TaxReturnView
from erp.kernel.errors import BadParameter, Invalid, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import File, Page


class Report:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TaxReturnQuery) -> ReportTree:
        """Show the VAT return of some days.

        Without days, it shows this month. A box sums the documents whose tax rates carry its tags, on their tax dates,
        or on cash basis when they are paid; its figures lead to those documents. Bases are cut to whole units towards
        zero if the form has no cents. Filed days show the filed figures beside. At the end,
        the return is compared with the books. From `by_return`, the steps `cents`, `in_no_box`, `unpaid_end` less
        `unpaid_start`, and `other_days` lead to `by_documents`, and each leads to its documents. `difference` is the
        balance of the tax accounts beyond that: 0.00 unless tax was posted by hand.
        """
        return returns.of(query)


class Documents:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TaxDocumentsQuery) -> ReportTree:
        """List the documents behind a box of a VAT return, with each one's part before anything is cut.

        The parts add up to the uncut figure of the box. The steps from the return to the books can be listed as well.
        A box or form that does not exist is a 400.
        """
        return details.of(query)


class EcSalesList:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TaxDaysQuery) -> ReportTree:
        """Show the EC sales list: untaxed sales to firms in other countries of the EU, by VAT number.

        Without days, it shows this month. It is on accrual basis, whatever the basis of the return is.
        """
        return ec_sales.of(query)


class EcSalesFile:
    @endpoint(permission="finance.read", produces="text/csv", refuses=(NotGerman, BadParameter, Invalid))
    def on_get(self, query: TaxDaysQuery) -> File:
        """Download the EC sales list as a CSV for the form "Zusammenfassende Meldung" in Mein ELSTER.

        You import, check and send it there. Customers with the same VAT number are one line for goods (L) and one for
        services (S), in whole euros; a customer without a VAT number is refused. Only for a German office.
        """
        return ec_sales_file.of(query)


class Oss:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TaxDaysQuery) -> ReportTree:
        """Show the return of the one-stop shop: sales at rates with the tag `oss`, by their country and percentage.

        It is on accrual basis. Changes of sales before the first day, such as credit notes, stand apart, by country and
        quarter. The return of the own country leaves these rates out.
        """
        return oss.of(query)


class SalesTax:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: TaxDaysQuery) -> ReportTree:
        """Show the sales tax of the United States: sales, exempt and taxable amounts and tax by state.

        Below a state, the recorded tax is shared among the parts of its rates, such as county and city. Rates of the
        country US count, by their region.
        """
        return sales_tax.of(query)


class Collection:
    """Filing is in `closing`, because it can lock the books as well."""

    @endpoint(permission="finance.read")
    def on_get(self, query: TaxReturnFilter) -> Page[TaxReturnView]:
        """List filed VAT returns, with their changes since.

        The newest days first, corrections included.
        """
        return views.search(query)


class Annual:
    @endpoint(permission="finance.read", refuses=(BadParameter,))
    def on_get(self, query: AnnualQuery) -> ReportTree:
        """Compare the filed VAT returns of a calendar year with the year as it is now, box by box.

        Of the returns of the same days, the last correction counts. The year is computed as a whole, so that bases are
        cut once: the differences are what an annual return has to declare.
        """
        return annual.of(query)


class Item:
    @endpoint(permission="finance.read")
    def on_get(self, id: str) -> TaxReturnView:
        """Show a filed VAT return, with the present figures of its boxes.

        `isChanged` says whether a correction is due.
        """
        return TaxReturnView.of(TaxReturn.find(id))


class Elster:
    @endpoint(permission="finance.read", produces="application/xml", refuses=(WrongForm, ElsterNotSetUp, Invalid))
    def on_get(self, id: str) -> File:
        """Download a filed German return (UStVA) as a file for "Formulardaten hochladen" in Mein ELSTER.

        You check and send it there. The settings need the `taxNumber` and the `taxOfficeState`. The return is of a
        calendar month or quarter; a correction is marked as one (Kz10).
        """
        return elster.of(id)


class Settle:
    @endpoint(
        permission="finance.write",
        refuses=(
            InvalidTransition,
            settling.Outdated,
            UnknownReference,
            *ledger.POSTING,
        ),
    )
    def on_post(self, id: str, body: Settlement) -> TaxReturnView:
        """Post the VAT payable of a return: the tax accounts against the account VAT payable.

        Tax of other days stays where it is. Cents that the form cuts go to the rounding differences. A correction moves
        only its difference from earlier entries.
        """
        return TaxReturnView.of(settling.settle(id, body))


class SettleUndo:
    @endpoint(permission="finance.write", refuses=(InvalidTransition, periods.PeriodLocked, ledger.DatedTooEarly))
    def on_post(self, id: str, body: SettlementUndo) -> TaxReturnView:
        """Reverse the VAT payable entry of a return.

        The return stays filed and can be settled again. One that is not settled is refused (409), as is a locked day.
        """
        return TaxReturnView.of(settling.undo(id, body))
