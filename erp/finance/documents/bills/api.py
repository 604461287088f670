"""Bills over HTTP, where they are not served as invoices are."""

from erp.finance.documents.bills import due
from erp.finance.documents.bills.due import DueBillFilter, DueBillView
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Due:
    @endpoint(permission="finance.read")
    def on_get(self, query: DueBillFilter) -> Page[DueBillView]:
        """List the bills that are due by a day, the earliest first: what a payment run could pay.

        What has been paid with a later date counts as paid.
        """
        return due.search(query)
