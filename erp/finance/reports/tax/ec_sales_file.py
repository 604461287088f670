"""The EC sales list as a CSV for the import into the form "Zusammenfassende Meldung" of Mein ELSTER.

Version 3.0 of its interface: a line with the version, one with the names of the fields, then for each VAT number the
whole euros of goods (L) and of services (S), in UTF-8.
"""

from collections import Counter

from erp.finance.reports.tax import ec_sales, figures, queries
from erp.finance.reports.tax.queries import TaxDaysQuery
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Refusal
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.web.schema import File

VERSION = "#v3.0"
FIELDS = "USt-IdNr.,Betrag (EUR),Art der Leistung"
LETTERS = {"eu_goods": "L", "eu_services": "S"}
EURO = 100
"""In minor units; the form has whole euros."""


class NotGerman(Refusal):
    """Only a German office sends its EC sales list by ELSTER, in euros."""


def of(query: TaxDaysQuery) -> File:
    """The file of some days.

    Raises:
        NotGerman: the office is in another country, or keeps its books in another currency.
        Invalid: a customer has no VAT number.
        BadParameter: the days end before they begin.
    """
    settings = workspace_settings.current()
    if (settings.country, settings.base_currency) != ("DE", "EUR"):
        raise NotGerman
    first, last = queries.span_of(query)
    lines = [
        f"{vat_id},{amount},{LETTERS[tag]}"
        for (vat_id, tag), sum_ in sorted(_by_number(query).items())
        if (amount := figures.cut(sum_, EURO) // EURO)
    ]
    content = "".join(f"{line}\r\n" for line in (VERSION, FIELDS, *lines))
    return File(content.encode(), f"zm-{first}-{last}.csv")


def _by_number(query: TaxDaysQuery) -> Counter[tuple[str, str]]:
    """The sums by VAT number and kind: a firm may be several customers."""
    sums, complaints = Counter[tuple[str, str]](), Complaints()
    for sold in ec_sales.sold(query):
        if sold.vat_id is None:
            message = says("{name} has no VAT number. Enter it in the contact.", name=sold.name)
            complaints.add("customer", "required", message)
        else:
            sums[sold.vat_id, sold.tag] += sold.base
    complaints.refuse()
    return sums
