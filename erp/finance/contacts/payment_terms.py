"""Payment terms: days, months, the end or a day of a month, and cash discounts."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Annotated, Any

from msgspec import UNSET, Meta

from erp.kernel import money
from erp.kernel.complaints import Complaints
from erp.kernel.days import in_month, month_end, months_later
from erp.kernel.errors import Complaint
from erp.kernel.language import Digits, says
from erp.web.scalars import Figure, Percent
from erp.web.schema import Body, View

TermsDays = Annotated[int, Meta(ge=0, le=3650, description="Days from a document's date to its due date.")]


class DiscountPercent(Percent):
    """A percentage above zero."""

    sign = "positive"
    json_schema = {**Percent.json_schema, "description": "A percentage above 0, with at most 4 decimals."}


class DiscountStep(Body):
    """A discount for paying within some days of a document's date."""

    percent: DiscountPercent
    days: Annotated[int, Meta(ge=0, le=3650)]


class PaymentTerms(Body):
    """The due date of a document: first the months, then the days, then the end or day of a month.

    After `endOfMonth`, `dayOfMonth` is in the month that follows; alone, it is the first such day. In a shorter month
    it is the last day. Without any of the four, the workspace's `paymentTermsDays` apply.
    """

    days: TermsDays | None = None
    months: Annotated[int, Meta(ge=0, le=120)] | None = None
    end_of_month: bool = False
    day_of_month: Annotated[int, Meta(ge=1, le=31)] | None = None
    discounts: (
        Annotated[
            list[DiscountStep],
            Meta(max_length=2, description="Cash discounts: the later step has more days and a lower percentage."),
        ]
        | None
    ) = None

    @property
    def is_dated(self) -> bool:
        """Whether they set a due date, not only discounts."""
        return self.days is not None or not self.has_only_days

    @property
    def has_only_days(self) -> bool:
        """Whether neither months nor the end or day of a month count."""
        return self.months is None and not self.end_of_month and self.day_of_month is None


class DiscountStepView(View):
    """A discount for paying within some days of a document's date; `until` is the last of them, on a document."""

    percent: Figure
    days: int
    until: date | None = None


class PaymentTermsView(View):
    """The due date of a document, counted from its date, and its cash discounts."""

    days: int | None
    months: int | None
    end_of_month: bool
    day_of_month: int | None
    discounts: list[DiscountStepView]


def due_date(terms: PaymentTerms, issued: date) -> date:
    """The day on which a document of that date is due."""
    day = months_later(issued, terms.months or 0) + timedelta(days=terms.days or 0)
    if terms.end_of_month:
        day = month_end(day)
    return day if terms.day_of_month is None else _next_day_of_month(day, terms)


def _next_day_of_month(day: date, terms: PaymentTerms) -> date:
    assert terms.day_of_month is not None
    due = in_month(day, terms.day_of_month)
    if terms.end_of_month or due < day:
        return months_later(day, 1, terms.day_of_month)
    return due


def twice(terms: object, days: object) -> Iterator[Complaint]:
    """The complaint about a contact whose terms a request sends in both of their fields."""
    if isinstance(terms, PaymentTerms) and isinstance(days, int):
        message = says("Send either paymentTerms or paymentTermsDays, which is short for days alone.")
        yield Complaint("paymentTermsDays", "exactly_one", message)


def check(terms: PaymentTerms, field: str, complaints: Complaints) -> None:
    """Complain about discounts that no one could take."""
    steps = terms.discounts or []
    for i, (step, before) in enumerate(zip(steps[1:], steps, strict=False), 1):
        if step.days <= before.days:
            complaints.add(
                f"{field}.discounts[{i}].days", "too_small", says("Must be more than {days}.", days=before.days)
            )
        if step.percent >= before.percent:
            message = says("Must be less than {percent}.", percent=Digits(_text(before.percent)))
            complaints.add(f"{field}.discounts[{i}].percent", "too_large", message)
    if terms.days is not None and terms.has_only_days:
        for i, step in enumerate(steps):
            if step.days > terms.days:
                message = says("Must not be more than {days}, when all is due.", days=terms.days)
                complaints.add(f"{field}.discounts[{i}].days", "too_large", message)


def stored(terms: PaymentTerms | None) -> dict[str, Any] | None:
    """Terms as a JSON column stores them: only the set ones; None for none."""
    if terms is None:
        return None
    fields = {"days": terms.days, "months": terms.months, "dayOfMonth": terms.day_of_month}
    steps = [{"percent": _text(step.percent), "days": step.days} for step in terms.discounts or ()]
    values = {name: value for name, value in fields.items() if value is not None}
    values |= {"endOfMonth": True} if terms.end_of_month else {}
    return values | ({"discounts": steps} if steps else {}) or None


def read(values: Mapping[str, Any] | None) -> PaymentTerms | None:
    """Terms from a column of JSON."""
    if values is None:
        return None
    steps = values.get("discounts", ())
    return PaymentTerms(
        days=values.get("days"),
        months=values.get("months"),
        end_of_month=values.get("endOfMonth", False),
        day_of_month=values.get("dayOfMonth"),
        discounts=[DiscountStep(percent=DiscountPercent(step["percent"]), days=step["days"]) for step in steps],
    )


def view(terms: PaymentTerms | None, issued: date | None = None) -> PaymentTermsView | None:
    """The view of terms.

    Args:
        issued: the date of the document that has them.
    """
    if terms is None:
        return None
    return PaymentTermsView(
        days=terms.days,
        months=terms.months,
        end_of_month=terms.end_of_month,
        day_of_month=terms.day_of_month,
        discounts=[
            DiscountStepView(
                percent=_text(step.percent),
                days=step.days,
                until=issued and issued + timedelta(days=step.days),
            )
            for step in terms.discounts or ()
        ],
    )


def _text(percent: Decimal) -> str:
    return money.plain(money.scaled(percent, money.MICRO))


def columns(values: Mapping[str, Any]) -> dict[str, Any]:
    """Both columns of a contact's terms, from either field of a request; nothing without them.

    Args:
        values: the fields that were sent, by the names of their columns.
    """
    terms, days = (values.get(name, UNSET) for name in ("payment_terms", "payment_terms_days"))
    if terms is UNSET and days is UNSET:
        return {}
    if not isinstance(terms, PaymentTerms):
        return {"payment_terms": None, "payment_terms_days": None if days is UNSET else days}
    is_plain = terms.has_only_days and not terms.discounts
    own_days = terms.days if terms.has_only_days else None
    return {"payment_terms": None if is_plain else stored(terms), "payment_terms_days": own_days}
