"""The view of a match that is being chosen."""

from typing import Annotated

from msgspec import Meta

from erp.finance.bank.previews import Chosen, Preview
from erp.kernel import money
from erp.web.scalars import Money
from erp.web.schema import View


class ChosenView(View):
    """An item or an entry as it would be matched."""

    id: Annotated[str, Meta(description="Of the open item or the journal entry.")]
    amount: Money
    discount: Annotated[Money, Meta(description="The cash discount that is taken beside it.")]
    rest: Annotated[Money, Meta(description="The amount that stays open.")]


class PreviewedPartView(View):
    """A part of a split."""

    net: Money
    tax: Money


class MatchPreviewView(View):
    """The sum of a draft of a match, and the rest of the line."""

    items: list[ChosenView]
    entries: list[ChosenView]
    parts: list[PreviewedPartView]
    chosen: Money
    amount: Annotated[Money, Meta(description="The transaction with its fee, above zero.")]
    left: Annotated[Money, Meta(description="Of the transaction; below zero if too much is chosen.")]
    is_complete: bool

    @classmethod
    def of(cls, preview: Preview) -> "MatchPreviewView":
        currency = preview.line.currency

        def shown(chosen: list[Chosen]) -> list[ChosenView]:
            return [
                ChosenView(
                    id=one.id,
                    amount=money.text(one.amount, currency),
                    discount=money.text(one.discount, currency),
                    rest=money.text(one.rest, currency),
                )
                for one in chosen
            ]

        return cls(
            items=shown(preview.items),
            entries=shown(preview.entries),
            parts=[
                PreviewedPartView(net=money.text(part.gross - part.tax, currency), tax=money.text(part.tax, currency))
                for part in preview.parts
            ],
            chosen=money.text(preview.chosen, currency),
            amount=money.text(preview.whole, currency),
            left=money.text(preview.left, currency),
            is_complete=preview.is_complete,
        )
