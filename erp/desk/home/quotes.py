"""Quotes on the home page that soon expire, or that have no invoice yet."""

from datetime import timedelta
from typing import Literal

from erp.desk.home import waiting
from erp.desk.home.waiting import Waiting
from erp.kernel import caller
from erp.store import sql, workspace_settings
from erp.store.sql import Amount
from erp.web.scalars import Money
from erp.web.schema import View

SOON, LONG = timedelta(days=7), timedelta(days=14)
"""Days before the last day of a quote, and days after its acceptance without an invoice."""


class QuoteToFollowView(View):
    """A quote whose last day is near, or that was accepted and has no invoice; `day` is that last day, or the yes.

    `accepted` is a yes by share link that no one has followed yet, `not_invoiced` any yes that is 14 days old.
    """

    id: str
    number: str
    customer_id: str
    customer_name: str
    subject: str | None
    why: Literal["expires", "accepted", "not_invoiced"]
    accepted_by: str | None
    day: str
    currency: str
    total: Money


class QuotesToFollow(Waiting):
    """Quotes to follow up, the earliest day at the top."""

    items: list[QuoteToFollowView]


_DAY = "CASE WHEN status = 'issued' THEN valid_until ELSE accepted_on END"
_SHOWN = sql.json_of(
    QuoteToFollowView,
    {
        "customer_id": "contact_id",
        "customer_name": "contact_name",
        "why": "CASE WHEN status = 'issued' THEN 'expires' WHEN accepted_on > :long_ago THEN 'accepted'"
        " ELSE 'not_invoiced' END",
        "day": _DAY,
        "total": Amount("coalesce(accepted_total, total)"),
    },
)
_TO_FOLLOW = (
    f"SELECT {_SHOWN}, count(*) OVER () FROM quote WHERE status = 'issued' AND valid_until BETWEEN :today AND :soon"
    " OR status = 'accepted' AND (accepted_on <= :long_ago OR accepted_via = 'link')"
    " AND NOT EXISTS (SELECT 1 FROM invoice WHERE quote_id = quote.id AND invoice.status <> 'void')"
    f" ORDER BY {_DAY}, number"
)


def to_follow() -> QuotesToFollow | None:
    """The quotes that the caller may follow up."""
    if not caller.may("finance.write"):
        return None
    today = workspace_settings.today()
    days = {"today": today, "soon": today + SOON, "long_ago": today - LONG}
    return waiting.read(QuotesToFollow, _TO_FOLLOW, {name: day.isoformat() for name, day in days.items()})
