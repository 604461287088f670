"""Bodies and parameters of requests about notices."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from erp.desk.notices.kinds import KINDS
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.web.scalars import Id, shaped
from erp.web.schema import Body, ListQuery

if TYPE_CHECKING:
    KindName = str
else:
    KindName = Literal[tuple(KINDS)]

MailWish = Literal["off", "now", "daily"]
DayOfWeek = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Ids = Annotated[list[Id], Meta(max_length=200)]


class NoticeFilter(ListQuery):
    """Filters of notices."""

    is_read: Annotated[bool | None, Meta(description="Whether you have read them.")] = None
    kind: KindName | None = None


class SeenNotices(Body):
    """Notices that were read: these, or all up to one; at least one of both is needed."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"throughId": "0199b7c2-6a00-7000-8000-000000000007"}

    ids: Annotated[Ids, Meta(description="Ids that are not yours, or have gone, are left out.")] = []
    through_id: (
        Annotated[Id, Meta(description="The newest notice that was seen: it and all before it are read.")] | None
    ) = None

    def check(self) -> Iterator[Complaint]:
        if self.ids == [] and self.through_id is None:
            yield Complaint("ids", "required", says("Say which notices were read: `ids` or `throughId`."))


class NoticesToKeep(Body):
    """Notices to be unread again."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"ids": ["0199b7c2-6a00-7000-8000-000000000007"]}

    ids: Annotated[list[Id], Meta(min_length=1, max_length=200)]


class KindPreference(Body):
    """Where someone wants notices of a kind."""

    here: Annotated[bool, Meta(description="Whether they are written at all.")]
    mail: Annotated[
        MailWish,
        Meta(description="Also by mail, if the workspace has a mail server: within a minute, or once a day."),
    ] = "off"


class NoticePreferences(Body):
    """The kinds of notices that someone wants; a kind that is left out is wanted."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "kinds": {"task_comment": {"here": False}, "mention": {"here": True, "mail": "daily"}}
    }

    kinds: dict[KindName, KindPreference]
    daily_at: Annotated[
        str,
        shaped(
            "^([01][0-9]|2[0-3]):[0-5][0-9]$",
            says("Must be a time of day, such as 07:30."),
            description="The time of the daily mail, in your time zone.",
        ),
    ] = "07:30"
    days: Annotated[list[DayOfWeek], Meta(max_length=7, description="The days of the daily mail.")] = msgspec.field(
        default_factory=lambda: ["mon", "tue", "wed", "thu", "fri"]
    )
