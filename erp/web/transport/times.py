"""Times in the cells of a table: instants, or times of day in a time zone."""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from erp.kernel.language import says
from erp.web.scalars import Moment, Unfit

_TIME_OF_DAY = re.compile("[0-9]{1,2}:[0-9]{2}(:[0-9]{2})?")


def instant(text: str, day: date | None, zone: str) -> datetime:
    """An instant; a time of day that occurs twice, as the clocks go back, is the earlier one.

    Raises:
        Unfit: it is neither, or there is no day or no such time on the day.
    """
    if not _TIME_OF_DAY.fullmatch(text):
        return Moment.read(text)
    if day is None:
        raise Unfit("no_date", says("A time of day needs a date."))
    try:
        local = datetime.fromisoformat(f"{day}T{text.zfill(5 if text.count(':') == 1 else 8)}")
    except ValueError:
        raise Unfit("not_an_instant", says("There is no such time of day.")) from None
    return _placed(local.replace(tzinfo=ZoneInfo(zone)))


def end(text: str, start: datetime | None, day: date | None, zone: str) -> datetime:
    """The end of a period; a time of day that is not after the start is on the next day.

    Raises:
        Unfit: as for `instant`.
    """
    found = instant(text, day, zone)
    if start is not None and day is not None and found <= start and _TIME_OF_DAY.fullmatch(text):
        return instant(text, day + timedelta(days=1), zone)
    return found


def _placed(local: datetime) -> datetime:
    placed = Moment.read(local.isoformat(timespec="seconds"))
    if placed.astimezone(local.tzinfo).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise Unfit("not_an_instant", says("This time does not exist: the clocks went forward over it."))
    return placed
