"""The office's own rates of mileage and per diems over HTTP."""

from collections.abc import Sequence

from erp.hr.expenses.bodies import Vehicle
from erp.hr.expenses.models import ExpenseRate
from erp.hr.expenses.rates import rates
from erp.hr.expenses.rates.bodies import ExpenseRateFilter, NewExpenseRate, RateKind
from erp.kernel import money
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Figure, Money
from erp.web.schema import Page, RecordView, TableQuery, View, show


class ExpenseRateView(RecordView):
    """A rate of the office's own: of a day away, or of a kilometre or mile."""

    created_by: str | None
    created_by_name: str | None
    kind: RateKind
    country: str
    region: str | None
    vehicle: Vehicle | None
    valid_from: str
    full: Money | None
    partial: Money | None
    rate: Figure | None
    currency: str

    @classmethod
    def of(cls, rate: ExpenseRate) -> "ExpenseRateView":
        return show(
            cls,
            rate,
            valid_from=rate.valid_from.isoformat(),
            full=None if rate.full_amount is None else money.text(rate.full_amount, rate.currency),
            partial=None if rate.partial_amount is None else money.text(rate.partial_amount, rate.currency),
            rate=None if rate.rate is None else money.plain(rate.rate),
        )


class Collection:
    @endpoint(permission="expenses.read_own")
    def on_get(self, query: ExpenseRateFilter) -> Page[ExpenseRateView]:
        """List the office's own rates.

        The official rates of AT, CH, DE and GB are part of the program, and count where the office has none. Per diems
        of DE cover all countries from 2025 on.
        """
        select = ExpenseRate.select()
        for name in ("kind", "country"):
            if (value := getattr(query, name)) is not None:
                select = select.where(getattr(ExpenseRate, name) == value)
        sortable = {"validFrom": ExpenseRate.valid_from}
        return page(select, query, ExpenseRateView.of, sort=query.sort, sortable=sortable)

    @endpoint(permission="expenses.post", status=201)
    def on_post(self, body: NewExpenseRate) -> ExpenseRateView:
        """Add a rate of the office's own, which wins from its day on.

        A per diem has the amounts of a full and of a partial day, a mileage the rate of a kilometre, in GB and US of a
        mile. Lines that exist keep their amounts.
        """
        return ExpenseRateView.of(rates.add(body))


class PlacesView(View):
    """A country, and its regions and cities with per diems of their own."""

    country: str
    regions: Sequence[str]


class Places:
    @endpoint(permission="expenses.read_own")
    def on_get(self, query: TableQuery) -> list[PlacesView]:
        """List the regions and cities with per diems of their own.

        They are the office's own and the official ones of its country, of earlier years as well. On a day without one
        of its own, and elsewhere, the per diem of the country counts.
        """
        return [PlacesView(country=country, regions=regions) for country, regions in rates.places().items()]


class Item:
    @endpoint(permission="expenses.read_own")
    def on_get(self, id: str) -> ExpenseRateView:
        """Show a rate of the office's own.

        It shows the day from which it counts, and until another one follows.
        """
        return ExpenseRateView.of(ExpenseRate.find(id))

    @endpoint(permission="expenses.post")
    def on_delete(self, id: str) -> None:
        """Delete a rate of the office's own.

        Lines that exist keep their amounts; later ones take the rate before it, or the official one.
        """
        rates.remove(id)
