"""Request bodies of DATEV."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from erp.web.scalars import Day, Name
from erp.web.schema import Body, Query
from erp.web.transport.uploads import Upload

_LAST = Annotated[Day, Meta(description="The last day, in the same fiscal year.")]


class DatevRange(Query):
    """The first and the last day, both included."""

    date_from: Day
    date_to: _LAST


class ReceivedBookings(Body):
    """A file of bookings that the tax advisor has made."""

    UPLOAD: ClassVar[bool] = True
    EXAMPLE: ClassVar[dict[str, Any]] = {"file": "RVhURjs3MDA7MjE=", "name": "EXTF_Buchungsstapel.csv", "dryRun": True}

    file: Upload
    name: Annotated[Name, Meta(description="Name of the file.")] | None = None
    dry_run: Annotated[bool, Meta(description="Check everything, and post nothing.")] = False


class NewDatevStack(Body):
    """The days whose journal entries go to the tax advisor."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}

    date_from: Day
    date_to: _LAST
