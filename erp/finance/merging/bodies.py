"""Request bodies of merging contacts."""

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from erp.web.scalars import Id
from erp.web.schema import Body


class ContactMerge(Body):
    """The contact that stays."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"intoContactId": "0197a3c4-1111-7abc-8def-0123456789ab", "dryRun": True}

    into_contact_id: Annotated[Id, Meta(description="The contact that stays: its head.")]
    force: Annotated[bool, Meta(description="Also where the VAT numbers or the currencies differ.")] = False
    dry_run: Annotated[bool, Meta(description="Show what the merge would do, and change nothing.")] = False
