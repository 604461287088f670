"""Actions on a document that are open to the caller, computed by the same checks that refuse them."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Annotated, Literal

from msgspec import Meta, json

from erp.finance.crediting import credits, remaining
from erp.finance.documents import allowed, bills, standing
from erp.finance.documents.models import Invoice
from erp.finance.documents.standing import Standing
from erp.finance.invoices import sent
from erp.finance.write_downs import write_offs
from erp.kernel import caller

Action = Literal[
    "update",
    "delete",
    "issue",
    "approve",
    "pay",
    "credit",
    "void",
    "write_off",
    "undo_write_off",
    "duplicate",
    "send",
    "mark_sent",
    "unmark_sent",
]
Can = Annotated[
    list[Action],
    Meta(
        description="Actions on the document open to you now. Of an issued one, `update` changes the reference, note"
        " and due date; `pay` settles it with a payment, and `mark_sent` says that it went out by post."
    ),
]

_CHECKS: Mapping[Action, Callable[[Standing], object]] = {
    "update": lambda document: None,
    "delete": allowed.check_removable,
    "issue": allowed.check_issuable,
    "approve": bills.check_approvable,
    "pay": allowed.check_payable,
    "credit": credits.check_creditable,
    "void": allowed.check_voidable,
    "write_off": write_offs.check_writable,
    "undo_write_off": write_offs.check_undoable,
    "duplicate": lambda document: None,
    "send": sent.check_sendable,
    "mark_sent": sent.check_markable,
    "unmark_sent": sent.check_unmarkable,
}


def actions(invoice: Invoice) -> list[Action]:
    """Actions on a document open to the caller."""
    (document,) = remaining.fill(standing.of_facts([standing.facts_of(invoice.id)]))
    return _allowed(document, _rights())


def of_page(facts: Sequence[str]) -> list[str]:
    """Actions open to the caller on each document of a page, as JSON, from the facts in its row.

    Equal facts are checked once.
    """
    distinct, rights = list(dict.fromkeys(facts)), _rights()
    documents = remaining.fill(standing.of_facts(distinct))
    can = [json.encode(_allowed(document, rights)).decode() for document in documents]
    by_facts = dict(zip(distinct, can, strict=True))
    return [by_facts[text] for text in facts]


def _rights() -> tuple[bool, bool]:
    """Whether the caller may write documents, and whether they may approve bills."""
    return caller.may_change("finance.write"), caller.may_change("bills.approve")


def _allowed(document: Standing, rights: tuple[bool, bool]) -> list[Action]:
    writes, approves = rights
    return [action for action in _possible(document) if (approves if action == "approve" else writes)]


@lru_cache(maxsize=1000)
def _possible(document: Standing) -> list[Action]:
    """Actions that no check refuses. Cached, because checking took most of the time of a list."""
    return caller.passing({action: partial(check, document) for action, check in _CHECKS.items()})
