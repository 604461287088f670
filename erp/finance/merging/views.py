"""Views of merging contacts."""

import json
from typing import Annotated, Any

from msgspec import Meta

from erp.finance.merging.merges import Plan
from erp.kernel import money
from erp.kernel.wire import wire_name
from erp.store import workspace_settings
from erp.web.scalars import Money
from erp.web.schema import View


class MergeCounts(View):
    """Numbers of records that a merge moves, and of those that stay as they are and count for the head.

    Drafts, recurring documents, projects, bank rules, IBANs and the block from reminders move.
    """

    drafts: int
    recurring_documents: int
    projects: int
    bank_rules: int
    ibans: int
    reminder_blocks: int
    documents: int
    quotes: int
    payments: int
    offsets: int
    journal_entries: int
    open_items: int


class MergeDifference(View):
    """A field that both contacts have, with different values: the head's stays."""

    field: Annotated[str, Meta(examples=["vatId"])]
    kept: str
    dropped: str
    is_conflict: Annotated[bool, Meta(description="The merge needs `force`.")]


class MergePreview(View):
    """The effect of a merge; nothing is stored."""

    contact_id: str
    contact_name: str
    head_id: str
    head_name: str
    counts: MergeCounts
    filled: Annotated[list[str], Meta(description="Fields that the head takes from the duplicate.")]
    differences: list[MergeDifference]
    balance: Annotated[Money, Meta(description="Of the head, as of today and in the base currency, once merged.")]

    @classmethod
    def of(cls, planned: Plan) -> "MergePreview":
        return cls(
            contact_id=planned.duplicate.id,
            contact_name=planned.duplicate.name,
            head_id=planned.head.id,
            head_name=planned.head.name,
            counts=MergeCounts(
                **{name: sum(len(planned.moved[table]) for table in tables) for name, tables in _TABLES.items()},
                **planned.counts._asdict(),
            ),
            filled=[wire_name(column) for column in planned.filled],
            differences=[
                MergeDifference(
                    field=wire_name(each.column),
                    kept=_text(each.kept),
                    dropped=_text(each.dropped),
                    is_conflict=each.is_conflict,
                )
                for each in planned.differences
            ],
            balance=money.text(planned.balance, workspace_settings.current().base_currency),
        )


_TABLES = {
    "drafts": ("invoice", "quote"),
    "recurring_documents": ("recurring_document",),
    "projects": ("project",),
    "bank_rules": ("bank_rule",),
    "ibans": ("bank_counterparty",),
    "reminder_blocks": ("reminder_block",),
}


def _text(value: Any) -> str:
    """A value as people read it: the parts of an address on one line."""
    if isinstance(value, dict):
        parts = value.values()
        return ", ".join(part if isinstance(part, str) else json.dumps(part) for part in parts if part is not None)
    return str(value)
