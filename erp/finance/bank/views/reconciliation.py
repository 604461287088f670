"""View of the books of an account against its bank statements."""

from typing import Annotated, Any

from msgspec import Meta

from erp.finance.bank import reconciliation
from erp.finance.bank.bodies import ReconciliationQuery
from erp.finance.bank.reconciliation import State
from erp.finance.bank.views.lines import SuggestedEntryView, suggested_entry
from erp.kernel import money
from erp.kernel.wire import wire_name
from erp.store import names
from erp.web.scalars import Money
from erp.web.schema import View


class GapView(View):
    """Days between two statements on which the balance has changed: one is missing."""

    after: str
    before: str
    closing: Money
    opening: Money


class ReconciliationView(View):
    """The state of an account: its books against its statements, in its currency.

    `difference` is the bank's balance less the books'. Unmatched lines and entries explain it, except for
    `unexplained`.
    """

    account_id: str
    account_code: str
    account_name: str
    currency: str
    date: str
    iban: str | None
    csv_mapping: dict[str, Any] | None
    statements: int
    book_balance: Money
    statement_balance: Money | None
    difference: Money | None
    unexplained: Money | None
    unmatched_lines: int
    unmatched_lines_total: Money
    unmatched_entries: int
    unmatched_entries_total: Money
    entries: Annotated[list[SuggestedEntryView], Meta(description="Unmatched entries, the first 200.")]
    gaps: list[GapView]
    reconciled_through: Annotated[
        str | None, Meta(description="The last day through which each line has its entry, and each entry its line.")
    ]

    @classmethod
    def of(cls, state: State) -> "ReconciliationView":
        """The view of an account's state."""
        currency = state.account.currency

        def text(amount: int | None) -> str | None:
            return None if amount is None else money.text(amount, currency)

        return cls(
            account_id=state.account.id,
            account_code=state.account.code,
            account_name=names.of(account=[state.account.id]).name(state.account.id) or "",
            currency=currency,
            date=state.day.isoformat(),
            iban=state.feed.iban if state.feed else None,
            csv_mapping=_mapping(state.feed.csv_mapping) if state.feed and state.feed.csv_mapping else None,
            statements=state.statement_count,
            book_balance=money.text(state.book, currency),
            statement_balance=text(state.bank),
            difference=text(state.difference),
            unexplained=text(state.unexplained),
            unmatched_lines=len(state.lines),
            unmatched_lines_total=money.text(sum(line.amount for line in state.lines), currency),
            unmatched_entries=len(state.entries),
            unmatched_entries_total=money.text(sum(entry.remaining for entry in state.entries), currency),
            entries=[suggested_entry(entry, entry.remaining, currency) for entry in state.entries[:200]],
            gaps=[
                GapView(
                    after=gap.after.isoformat(),
                    before=gap.before.isoformat(),
                    closing=money.text(gap.closing, currency),
                    opening=money.text(gap.opening, currency),
                )
                for gap in state.gaps
            ],
            reconciled_through=state.through.isoformat() if state.through else None,
        )


def _mapping(stored: dict[str, Any]) -> dict[str, Any]:
    """The mapping in the form of a request."""
    columns = {wire_name(name): value for name, value in stored["columns"].items() if value}
    return {wire_name(name): value for name, value in stored.items()} | {"columns": columns}


def state(id: str, query: ReconciliationQuery) -> ReconciliationView:
    """The state of an account."""
    return ReconciliationView.of(reconciliation.of(id, query.date))
