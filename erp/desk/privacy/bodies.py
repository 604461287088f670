"""Requests about personal data."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

import msgspec

from erp.kernel.complaints import REQUIRED
from erp.kernel.errors import Complaint
from erp.web.scalars import Line
from erp.web.schema import Body


class NewErasure(Body):
    """The reason for erasing a person, such as their request; it stays in the log, so it should not name them."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"reason": "Request of 26 November 2026"}

    reason: Annotated[Line, msgspec.Meta(description="Required unless it is a dry run.")] = ""
    dry_run: Annotated[bool, msgspec.Meta(description="Show what would go and what stays, and change nothing.")] = False

    def check(self) -> Iterator[Complaint]:
        if not (self.reason.strip() or self.dry_run):
            yield Complaint("reason", *REQUIRED)
