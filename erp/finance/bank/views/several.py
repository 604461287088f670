"""Views of lines that are matched together, and of the records that a line may match."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from erp.finance.bank.candidates import Candidate
from erp.finance.bank.several import Outcome
from erp.finance.bank.store import Item
from erp.finance.bank.suggestions import Because
from erp.kernel import money
from erp.web.scalars import Money
from erp.web.schema import View


class ConfirmedLineView(View):
    """A line that was matched, its amount, and the reason of its suggestion."""

    line_id: str
    amount: Money
    because: Because | Literal["manual"]
    reason: Annotated[str | None, Meta(description="Of a suggestion.")]


class SkippedLineView(View):
    """A line that stays unmatched."""

    line_id: str
    code: Annotated[str, Meta(description="Of the refusal, such as `not_sure` or `nothing_suggested`.")]
    message: str


class LinesConfirmedView(View):
    """The outcome of matching several lines."""

    confirmed: list[ConfirmedLineView]
    skipped: list[SkippedLineView]
    money_in: Annotated[Money, Meta(description="The sum of the matched lines that came in.")]
    money_out: Annotated[Money, Meta(description="The sum of the matched lines that went out, above zero.")]
    dry_run: bool

    @classmethod
    def of(cls, outcome: Outcome, *, dry_run: bool) -> "LinesConfirmedView":
        currency = outcome.currency
        return cls(
            confirmed=[
                ConfirmedLineView(
                    line_id=line.id,
                    amount=money.text(line.amount, line.currency),
                    because=found.because if found else "manual",
                    reason=found.reason if found else None,
                )
                for line, found in outcome.confirmed
            ],
            skipped=[SkippedLineView(line_id=id, code=code, message=message) for id, code, message in outcome.skipped],
            money_in=money.text(sum(max(line.amount, 0) for line, _ in outcome.confirmed), currency),
            money_out=money.text(sum(max(-line.amount, 0) for line, _ in outcome.confirmed), currency),
            dry_run=dry_run,
        )


class MatchCandidateView(View):
    """An open item that a line may pay, or an entry of the account that it may be."""

    kind: Literal["item", "entry"]
    item_id: str | None
    entry_id: str | None
    number: str
    contact_id: str | None
    contact_name: str | None
    description: Annotated[str | None, Meta(description="Of an entry.")]
    date: Annotated[str | None, Meta(description="Of an entry.")]
    due_date: Annotated[str | None, Meta(description="Of an item.")]
    open: Annotated[Money, Meta(description="Above zero, in the currency of the line.")]
    discount: Annotated[Money, Meta(description="The cash discount of an item that is in time.")]
    discount_until: str | None
    score: Annotated[int, Meta(description="0 to 100: how well it fits.")]
    reason: Annotated[str | None, Meta(description="Of a suggestion.")]
    is_sure: bool

    @classmethod
    def of_many(cls, candidates: Sequence[Candidate], currency: str) -> "list[MatchCandidateView]":
        return [cls.of(candidate, currency) for candidate in candidates]

    @classmethod
    def of(cls, candidate: Candidate, currency: str) -> "MatchCandidateView":
        record, suggestion = candidate.record, candidate.suggestion
        is_item = isinstance(record, Item)
        return cls(
            kind="item" if is_item else "entry",
            item_id=record.id if is_item else None,
            entry_id=None if is_item else record.id,
            number=record.number,
            contact_id=record.contact_id,
            contact_name=record.contact_name,
            description=None if isinstance(record, Item) else record.shown_description,
            date=None if isinstance(record, Item) else record.day,
            due_date=record.due_date if isinstance(record, Item) else None,
            open=money.text(candidate.open, currency),
            discount=money.text(candidate.offer.amount if candidate.offer else 0, currency),
            discount_until=candidate.offer.until.isoformat() if candidate.offer else None,
            score=candidate.score,
            reason=None if suggestion is None else suggestion.reason,
            is_sure=candidate.score == 100,
        )
