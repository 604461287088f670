"""Request bodies of kiosks, and what is shown of them."""

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.kernel.language import says
from erp.store.control import Kiosk, User
from erp.web.scalars import Id, Instant, Moment, Name, shaped
from erp.web.schema import Body, RecordQuery, RecordView, View, show

Pin = Annotated[str, shaped("^[0-9]{4,8}$", says("Must be 4 to 8 digits."), description="4 to 8 digits.")]


class NewKiosk(Body):
    """A kiosk to set up, named for its place."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Entrance"}

    name: Name
    site_id: (
        Annotated[Id, Meta(description="The id or name of the site whose people it shows; all by default.")] | None
    ) = None


class KioskFilter(RecordQuery):
    """A filter of kiosks."""

    sort: Literal["createdAt", "-createdAt"] = "-createdAt"


class KioskView(RecordView):
    """A kiosk."""

    name: str
    created_by: str
    created_by_name: str | None
    site_id: str | None
    last_used_at: Annotated[Instant | None, Meta(description="To the hour.")]

    @classmethod
    def of(cls, kiosk: Kiosk) -> "KioskView":
        maker = User.find_or_none(kiosk.created_by)
        return show(cls, kiosk, created_by_name=maker and maker.name)


class CreatedKioskView(KioskView):
    """A new kiosk, with its token, which is not shown again."""

    token: str
    url: Annotated[str, Meta(description="The page of the kiosk, with the token: open it once on the tablet.")]


class NewPin(Body):
    """A PIN for the kiosk."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"pin": "4711"}

    pin: Pin


class KioskPinView(View):
    """Whether an employee has a PIN for the kiosk, and since when."""

    set_at: Instant | None


class KioskPersonView(View):
    """Someone who can clock in or out at the kiosk."""

    id: str
    name: Annotated[str, Meta(description="The first name, and the initial of the last one.")]
    is_in: bool


class KioskClocking(Body):
    """Someone who comes or goes."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"employeeId": "0199d6a2-7c00-7000-8000-000000000001", "pin": "4711"}

    employee_id: Id
    pin: Pin
    at: (
        Annotated[Moment, Meta(description="Now by default; up to 24 hours ago, if the server could not be reached.")]
        | None
    ) = None


class KioskClockedView(View):
    """The one who is in or out now, and since when."""

    name: str
    is_in: bool
    at: Instant
    worked_minutes: Annotated[int, Meta(description="Of the day, up to `at`.")]
