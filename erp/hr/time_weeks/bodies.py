"""Requests about weeks of time."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from erp.kernel.complaints import REQUIRED
from erp.kernel.errors import Complaint
from erp.web.scalars import Day, Id, Name, Note
from erp.web.schema import Body, ListQuery

Status = Literal["open", "missing", "submitted", "approved"]
Whose = Annotated[Id, Meta(description="The person; yourself when left out.")]


class TimeWeekFilter(ListQuery):
    """Filters of weeks of time."""

    SEVERAL = ("status", "user_id")

    status: Annotated[Status, Meta(description="`missing`: over, not submitted, and time was expected.")] | None = None
    user_id: Annotated[Id, Meta(description="The person; `me` is you.")] | None = None
    date_from: (
        Annotated[Day, Meta(description="Weeks with this day or later; of eight weeks when left out.")] | None
    ) = None
    date_to: Annotated[Day, Meta(description="Weeks with this day or earlier; today when left out.")] | None = None
    sort: Literal["date", "-date"] = "-date"


class TimeWeekSubmission(Body):
    """A week of time to submit."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"note": "Two days at the fair."}

    user_id: Whose | None = None
    note: Annotated[Note | None, Meta(description="For the person who decides.")] = None


class TimeWeekWithdrawal(Body):
    """A submitted week of time to withdraw."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    user_id: Whose | None = None


class TimeWeekApproval(Body):
    """A week of time to approve."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"userId": "01890a5d-ac96-774b-bcce-b302099a8057"}

    user_id: Id
    note: Annotated[Note | None, Meta(description="For the person.")] = None


class TimeWeekReturn(Body):
    """A week of time to open again."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "userId": "01890a5d-ac96-774b-bcce-b302099a8057",
        "reason": "Thursday is missing.",
    }

    user_id: Id
    reason: Name


class TimeWeekReminder(Body):
    """A reminder to submit a week of time."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"userId": "01890a5d-ac96-774b-bcce-b302099a8057"}

    user_id: Id


class TimeWeekVerdict(Body):
    """The decision on one week of time."""

    user_id: Id
    date_from: Annotated[Day, Meta(description="The first day of the week, or of its part in the month.")]
    decision: Literal["approve", "return"]
    note: Annotated[Note | None, Meta(description="For the person; the reason for a return.")] = None

    def check(self) -> Iterator[Complaint]:
        if self.decision == "return" and not self.note:
            yield Complaint("note", *REQUIRED)


class TimeWeekDecisions(Body):
    """Decisions that are taken together."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "decisions": [
            {"userId": "01890a5d-ac96-774b-bcce-b302099a8057", "dateFrom": "2026-03-02", "decision": "approve"}
        ]
    }

    decisions: Annotated[list[TimeWeekVerdict], Meta(min_length=1, max_length=200)]
