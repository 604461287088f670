"""Recurring documents: how one is set up, changed, paused and resumed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from decimal import Decimal
from itertools import islice, takewhile
from typing import Any

import msgspec

from erp.finance.billing.recurring import dates, making, wording
from erp.finance.billing.recurring.bodies import (
    MOST_PAST,
    NewRecurringDocument,
    RecurringDocumentChange,
    RecurringJournal,
)
from erp.finance.billing.recurring.models import RecurringDocument
from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.contacts import contacts
from erp.finance.documents.bodies import InvoiceRequest
from erp.finance.documents.line_bodies import LineCharge
from erp.kernel import clock
from erp.kernel.complaints import Complaints
from erp.kernel.errors import InvalidTransition
from erp.kernel.language import says
from erp.store import changes, events, workspace_settings

DATED: dict[str, tuple[str, ...]] = {
    "invoice": ("issueDate", "dueDate", "serviceDate", "servicePeriod"),
    "journal": (),
}
"""The kinds of recurring documents, with the dates that their requests leave out."""


def add(new: NewRecurringDocument) -> RecurringDocument:
    """Set up a recurring document.

    Raises:
        Invalid: with a complaint for every field that is wrong, also in the document.
    """
    complaints = Complaints()
    values = _columns(new, complaints)
    recurring = RecurringDocument(**values)
    _check_request(values, complaints)
    _check_schedule(recurring, complaints)
    if not new.allow_past:
        _check_past(recurring, complaints)
    complaints.refuse()
    values |= _with_contact(new.invoice, values)
    recurring = RecurringDocument.add(
        **values, next_on=recurring.next_after(None), last_on=dates.last(recurring.schedule)
    )
    events.write("recurring_document.created", "recurring_document", recurring.id, event_data(recurring))
    return recurring


def change(id: str, body: RecurringDocumentChange) -> RecurringDocument:
    """Change the request or the schedule of future documents; documents already made stay.

    Raises:
        Invalid: with a complaint for every field that is wrong, also in the document.
    """
    recurring = RecurringDocument.find_to_change(id)
    complaints = Complaints()
    values = changes.differing(recurring, _columns(body, complaints, recurring))
    result = {name: getattr(recurring, name) for name in ("kind", "request", "mode", "due_days")} | values
    if {"kind", "request", "mode", "due_days"} & values.keys():
        _check_request(result, complaints)
    names = sorted(values)
    for name, value in values.items():
        setattr(recurring, name, value)
    _check_schedule(recurring, complaints)
    complaints.refuse()
    if values:
        values |= _with_contact(body.invoice, values)
        recurring.change(**values, **_dates(recurring), failure=None, failed_on=None)
        data = event_data(recurring) | {"changed": [_WIRE_NAMES.get(name, name) for name in names]}
        events.write("recurring_document.updated", "recurring_document", id, data)
    return recurring


def remove(id: str) -> None:
    """Delete a recurring document that has made nothing yet.

    Raises:
        InUse: it has.
    """
    recurring = RecurringDocument.find_to_change(id)
    refusal = says(
        "{name} has created documents and cannot be deleted. Pause it, or enter a last date.", name=recurring.name
    )
    changes.delete(recurring, refusal, event_data)


def pause(id: str) -> RecurringDocument:
    """Make no more documents until it is resumed.

    Raises:
        InvalidTransition: it is paused, or has ended.
    """
    recurring = RecurringDocument.find_to_change(id)
    if recurring.status != "active":
        raise InvalidTransition(_HAS[recurring.status].fill(name=recurring.name))
    recurring.change(paused_at=clock.stamp())
    events.write("recurring_document.paused", "recurring_document", id, event_data(recurring))
    return recurring


def resume(id: str) -> RecurringDocument:
    """Go on from today; dates that passed during the pause are not made.

    Raises:
        InvalidTransition: it is not paused.
    """
    recurring = RecurringDocument.find_to_change(id)
    if recurring.paused_at is None:
        raise InvalidTransition(says("{name} is not paused.", name=recurring.name))
    passed = _passed(recurring)
    recurring.change(
        paused_at=None, done_through=passed, next_on=recurring.next_after(passed), failure=None, failed_on=None
    )
    events.write("recurring_document.active", "recurring_document", id, event_data(recurring))
    return recurring


def event_data(recurring: RecurringDocument) -> dict[str, Any]:
    return {
        "name": recurring.name,
        "kind": recurring.kind,
        "nextOn": None if recurring.next_on is None else recurring.next_on.isoformat(),
    }


_HAS = {"paused": says("{name} is already paused."), "ended": says("{name} has ended.")}
_WIRE_NAMES = {
    "starts_on": "from",
    "ends_on": "until",
    "due_days": "dueDays",
    "remind_days": "remindDays",
}
_COLUMNS = {"from_": "starts_on", "until": "ends_on"}


def _columns(
    body: NewRecurringDocument | RecurringDocumentChange,
    complaints: Complaints,
    present: RecurringDocument | None = None,
) -> dict[str, Any]:
    """The fields of the body as columns."""
    sent = body.changes()
    sent.pop("allow_past", None)
    requests = {kind: sent.pop(kind, None) for kind in DATED}
    values = {_COLUMNS.get(name, name): value for name, value in sent.items()}
    if values.get("day") is not None:
        values["day"] = values["day"].number
    given = {kind: request for kind, request in requests.items() if request is not None}
    if len(given) > 1 or (present is None and not given):
        message = says("Choose either an invoice or a journal entry to recur.")
        complaints.add("journal" if given else "invoice", "exactly_one", message)
    for kind, request in given.items():
        values |= {"kind": kind, "request": _plain(request)}
    return values


def _plain(request: InvoiceRequest | RecurringJournal) -> dict[str, Any]:
    """The JSON to store of a request, without null fields."""
    return dict(_without_nulls(msgspec.to_builtins(request, enc_hook=_scalar)))


def _scalar(value: object) -> Any:
    if isinstance(value, LineCharge):
        return msgspec.to_builtins(value.part, enc_hook=_scalar)
    if isinstance(value, Dimensions):
        return dict(value.codes)
    return f"{value:f}" if isinstance(value, Decimal) else str(value)


def _without_nulls(plain: Any) -> Any:
    """Plain values without null fields; a tax rate keeps its null, which means no tax rate."""
    if isinstance(plain, list):
        return [_without_nulls(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    said = {name: value for name, value in plain.items() if value is not None or name == "taxRateId"}
    return {name: _without_nulls(value) for name, value in said.items()}


def _check_request(values: Mapping[str, Any], complaints: Complaints) -> None:
    """Complain if the document could not be made today."""
    kind, request = values.get("kind"), values.get("request")
    if kind is None or request is None:
        return
    for field in DATED[kind]:
        if field in request:
            complaints.add(f"{kind}.{field}", "not_needed", says("The schedule sets this value. Clear the field."))
    if kind == "journal":
        _check_for_invoices(values, complaints)
    wording.check(request, kind, complaints)
    with _below(kind, complaints):
        making.check(kind, {field: value for field, value in request.items() if field not in DATED[kind]})


def _with_contact(invoice: object, values: Mapping[str, Any]) -> dict[str, Any]:
    """The stored request with the id of its new contact, which is added; empty without a new contact."""
    if not isinstance(invoice, InvoiceRequest) or invoice.new_contact is None or "request" not in values:
        return {}
    party, complaints = invoice.party, Complaints()
    others = {name: value for name, value in values["request"].items() if name != party}
    with _below(f"invoice.{party}", complaints):
        others[f"{party}Id"] = contacts.add(contacts.read(invoice.new_contact)).id
    complaints.refuse()
    return {"request": others}


def _check_for_invoices(values: Mapping[str, Any], complaints: Complaints) -> None:
    """Complain about fields that only an invoice can have."""
    if values.get("mode") == "draft":
        complaints.add("mode", "no_draft", says("Journal entries have no drafts. Choose to post automatically."))
    if values.get("due_days") is not None:
        complaints.add("dueDays", "not_needed", says("Journal entries have no due date. Clear the field."))


@contextmanager
def _below(path: str, complaints: Complaints) -> Iterator[None]:
    """Gather complaints under the field of the request that holds the document."""
    inside = Complaints()
    with inside.gathered():
        yield
    for complaint in inside.items:
        complaints.add(f"{path}.{complaint.field}", complaint.code, complaint.message)


def _check_schedule(recurring: RecurringDocument, complaints: Complaints) -> None:
    if recurring.day is not None and recurring.unit in ("day", "week"):
        complaints.add("day", "not_needed", says("Only for months and years. Clear the field."))
    if recurring.starts_on is not None and recurring.next_after(None) is None:
        complaints.add("until", "too_early", says("There is no occurrence until then. Choose a later date."))


def _check_past(recurring: RecurringDocument, complaints: Complaints) -> None:
    """Complain about more than `MOST_PAST` past dates: the start is likely to be a mistake."""
    today = workspace_settings.today()
    past = takewhile(lambda day: day < today, dates.occurrences(recurring.schedule))
    if len(list(islice(past, MOST_PAST + 1))) > MOST_PAST:
        message = says("More than {most} documents would be dated before today. Choose a later date.", most=MOST_PAST)
        complaints.add("from", "far_past", message)


def _dates(recurring: RecurringDocument) -> dict[str, date | None]:
    """The dates that follow from a schedule that may have changed; one that had ended goes on from today."""
    done_through = recurring.done_through if recurring.next_on is not None else _passed(recurring)
    following = recurring.next_after(done_through)
    changed = {"next_on": following, "last_on": dates.last(recurring.schedule), "reminded_on": None}
    return changed if following is None else changed | {"done_through": done_through}


def _passed(recurring: RecurringDocument) -> date:
    """The `done_through` that leaves out all dates that have passed."""
    yesterday = workspace_settings.today() - timedelta(days=1)
    return max(yesterday, recurring.done_through or yesterday)
