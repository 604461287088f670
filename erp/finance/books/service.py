"""The days of a service, and the day that decides the tax period of a document."""

from datetime import date, timedelta
from typing import NamedTuple

from msgspec import field

from erp.kernel.complaints import Complaints
from erp.kernel.language import says
from erp.web.scalars import Day
from erp.web.schema import Body, View


class ServicePeriod(Body):
    """The first and the last day of a service."""

    from_: Day = field(name="from")
    to: Day


class ServicePeriodView(View):
    """The first and the last day of a service."""

    from_: date = field(name="from")
    to: date


class Service(NamedTuple):
    """The days of a service: from the first to the last; `start` is None for a service of one day."""

    start: date | None = None
    end: date | None = None

    @property
    def day(self) -> date | None:
        """The day of a service of one day."""
        return self.end if self.start is None else None

    @property
    def period(self) -> ServicePeriodView | None:
        """The period of any other service."""
        return None if self.start is None or self.end is None else ServicePeriodView(from_=self.start, to=self.end)


NO_SERVICE = Service()


def read(day: Day | None, period: ServicePeriod | None, complaints: Complaints, path: str = "") -> Service:
    """The service that a request names by its day or by its period; a period of one day is a period.

    Args:
        path: the prefix of the fields, such as `lines[0].`.
    """
    if period is None:
        return NO_SERVICE if day is None else Service(end=day)
    if day is not None:
        complaints.add(f"{path}serviceDate", "exactly_one", says("Send either serviceDate or servicePeriod, not both."))
    if period.to < period.from_:
        message = says("Must not be before the first day, {first}.", first=period.from_)
        complaints.add(f"{path}servicePeriod.to", "too_early", message)
    return Service(period.from_, period.to)


def tax_day(kind: str, document_date: date, service_end: date | None, lock_date: date | None) -> date:
    """The day whose month is the tax period of a document.

    A sale counts on the last day of its service, a purchase on the later of that day and its own date, and a credit
    note on its own date. A day in a locked period moves to the first open day.
    """
    if service_end is None or kind.endswith("credit_note"):
        day = document_date
    else:
        day = max(service_end, document_date) if kind.startswith("purchase") else service_end
    return day if lock_date is None or day > lock_date else lock_date + timedelta(days=1)
