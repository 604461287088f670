"""Facts of VAT returns: each document, discount, write-off and deposit by its rates.

Amounts are in minor units of the base currency. A sale and its tax are above zero, as are a purchase, its reverse
charge tax, and its deductible tax; reversals are below.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from erp.finance.books import default_accounts
from erp.finance.contacts.tax_rates import tag_of
from erp.finance.reports.tax.forms import Side, Use
from erp.kernel import money
from erp.store.router import WORKSPACE


class Rate(NamedTuple):
    """A tax rate in returns; percentages in millionths.

    `net_rank` numbers the net tax rates of the workspace, the highest first.
    """

    id: str
    name: str
    rate: int
    category: str
    tag: str
    output_account_id: str
    input_account_id: str
    country: str | None
    region: str | None
    components: Sequence[Mapping[str, str]]
    net_tax_rate: int | None
    net_rank: int | None

    @property
    def percent(self) -> str:
        """The percentage without trailing zeros, as in forms."""
        return money.plain(self.rate)


class Source(NamedTuple):
    """The document of a fact, or the open item of one from another program."""

    type: Literal["invoice", "journal_entry", "payment"]
    id: str
    number: str
    contact_id: str
    contact: str


class Fact(NamedTuple):
    """An amount that counts on a day at one rate; `posted` is its day in the books.

    `kind` is the document's, or the deduction's. `use` is told where the form asks for it.
    """

    day: str
    posted: str
    side: Side
    rate_id: str
    kind: str
    base: int
    tax: int
    input: int
    source: Source
    use: Use = "other"

    @property
    def owed(self) -> int:
        """The tax owed, less what is deducted."""
        return self.tax - self.input

    def reversed_on(self, day: str, posted: str) -> "Fact":
        """The same on another day with the opposite sign."""
        return self._replace(day=day, posted=posted, base=-self.base, tax=-self.tax, input=-self.input)


def rates() -> dict[str, Rate]:
    """All tax rates by id, in the order of their names."""
    output, input = default_accounts.of("tax"), default_accounts.of("input_tax")
    rows = WORKSPACE.rows(_RATES)
    ranked = sorted({row[-1] for row in rows if row[-1] is not None}, reverse=True)
    ranks = {net_tax_rate: place for place, net_tax_rate in enumerate(ranked, 1)}
    return {
        id: Rate(
            id,
            name,
            rate,
            category,
            tag_of(category, tag),
            own_output or output,
            own_input or input,
            country,
            region,
            json.loads(components or "[]"),
            net,
            ranks.get(net),
        )
        for id, name, rate, category, tag, own_output, own_input, country, region, components, net in rows
    }


_RATES = (
    "SELECT id, name, rate, category, tax_tag, output_tax_account_id, input_tax_account_id, country, region,"
    " components, net_tax_rate FROM tax_rate ORDER BY name, id"
)
