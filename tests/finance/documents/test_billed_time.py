"""Billed time when its invoice is changed, issued, voided or deleted."""

import json

import pytest

from erp.store.events import Event
from tests.finance.billing.time_logs import billing_of, hourly_project, project_task, time_invoice, time_log
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.refusals import complaint, complaints


@pytest.fixture(autouse=True)
def _today(clock_at):
    clock_at("2026-03-10T09:00:00Z")


class Billed:
    """A draft over two tasks: two logs of 10 minutes on the first, one of an hour on the second."""

    def __init__(self, office):
        self.office = office
        self.project = hourly_project(office, customer_id=customer(office)["id"])["id"]
        tasks = [project_task(office, self.project, title)["id"] for title in ("Pages", "Shop")]
        self.logs = [
            time_log(office, id, minutes)["id"] for id, minutes in zip((tasks[0], *tasks), (10, 10, 60), strict=True)
        ]
        self.tasks = tasks
        self.draft = time_invoice(office, projectId=self.project)
        self.path = f"/finance/invoices/{self.draft['id']}"
        self.ids = [each["id"] for each in self.draft["lines"]]

    def change(self, **body):
        """Change the draft; each line's logs afterwards."""
        changed = self.office.ok("PATCH", self.path, body)
        assert self.office.ok("GET", self.path) == changed
        return [each["timeLogIds"] for each in changed["lines"]]

    def states(self):
        """The position of each log's line, None where it is free, and the log's amount."""
        return [(position, amount) for _, position, amount in billing_of(self.office, *self.logs)]

    def freed(self):
        """The types of the invoice's events after the first, each with the number of time logs that it freed."""
        with self.office.books():
            events = Event.select().where(Event.resource_id == self.draft["id"]).order_by(Event.seq)
            return [(event.type, json.loads(event.data).get("freedTimeLogs")) for event in events][1:]


@pytest.fixture
def billed(acme):
    return Billed(acme)


FREE = [(None, 1_500), (None, 1_500), (None, 9_000)]
ON_IT = [(0, 1_485), (0, 1_485), (1, 9_000)]
"""20 minutes are 0.33 hours at 90.00: 29.70."""


def test_the_event_of_a_draft_counts_the_time_logs_that_it_bills(acme, billed):
    with acme.books():
        event = Event.get(Event.type == "invoice.draft")
    assert json.loads(event.data)["timeLogs"] == 3


def test_deleting_a_draft_frees_its_time(acme, billed):
    assert billed.states() == ON_IT
    acme.ok("DELETE", billed.path)
    assert billed.states() == FREE
    assert billed.freed() == [("invoice.deleted", 3)]
    assert [each["timeLogIds"] for each in time_invoice(acme, projectId=billed.project)["lines"]] == [
        billed.logs[:2],
        billed.logs[2:],
    ]


def test_issuing_changes_neither_time_nor_lines(acme, billed):
    issued = acme.ok("POST", f"{billed.path}/issue")
    assert (issued["status"], issued["lines"]) == ("issued", billed.draft["lines"])
    assert billed.states() == ON_IT
    assert billed.freed() == [("invoice.issued", None)]


def test_voiding_an_invoice_frees_its_time(acme, billed):
    acme.ok("POST", f"{billed.path}/issue")
    voided = acme.ok("POST", f"{billed.path}/void", {"reason": "Wrong"})
    assert [each["timeLogIds"] for each in voided["lines"]] == [[], []]
    assert billed.states() == FREE
    assert billed.freed()[-1] == ("invoice.void", 3)


def test_logs_sum_to_the_net_of_their_line_until_they_are_freed(acme):
    web = hourly_project(acme, customer_id=customer(acme)["id"])["id"]
    one = project_task(acme, web)["id"]
    logs = [time_log(acme, one, 1, hourlyRate="10.00")["id"] for _ in range(3)]
    assert [amount for *_, amount in billing_of(acme, *logs)] == [17, 17, 17]
    draft = time_invoice(acme, projectId=web)
    assert draft["subtotal"] == "0.50"
    assert [amount for *_, amount in billing_of(acme, *logs)] == [17, 17, 16]
    acme.ok("DELETE", f"/finance/invoices/{draft['id']}")
    assert [amount for *_, amount in billing_of(acme, *logs)] == [17, 17, 17]


def test_a_line_that_is_gone_frees_its_time(acme, billed):
    assert billed.change(lines=[line() | {"id": billed.ids[1]}]) == [billed.logs[2:]]
    assert billed.states() == [(None, 1_500), (None, 1_500), (0, 9_000)]
    assert billed.freed() == [("invoice.updated", 2)]


def test_a_line_keeps_its_time_by_its_id_whatever_else_changes(acme, billed):
    other = line("1.00", "3") | {"id": billed.ids[0]}
    assert billed.change(lines=[line(), line("5.00") | {"id": billed.ids[1]}, other]) == [
        [],
        billed.logs[2:],
        billed.logs[:2],
    ]
    shown = acme.ok("GET", billed.path)["lines"]
    assert [each["id"] for each in shown[1:]] == billed.ids[::-1]
    assert shown[0]["id"] not in billed.ids
    assert billed.freed() == [("invoice.updated", None)]


def test_a_line_without_an_id_keeps_the_time_of_the_line_that_it_resembles(acme, billed):
    first, second = (
        {name: each[name] for name in ("description", "taskId", "unitPrice")} for each in billed.draft["lines"]
    )
    lines = [second | {"quantity": "0.5"}, first | {"quantity": "1"}, first | {"quantity": "1"}]
    assert billed.change(lines=lines) == [billed.logs[2:], billed.logs[:2], []]
    assert billed.states() == [(1, 1_485), (1, 1_485), (0, 9_000)]
    assert billed.change(lines=[{**first, "quantity": "1", "description": "Another"}]) == [[]]
    assert billed.states() == FREE


def test_an_id_counts_more_than_a_resemblance(acme, billed):
    first = {name: billed.draft["lines"][0][name] for name in ("description", "taskId", "unitPrice", "quantity")}
    assert billed.change(lines=[first, line() | {"id": billed.ids[0]}]) == [[], billed.logs[:2]]


def test_what_else_changes_in_a_draft_leaves_its_time_alone(acme, billed):
    assert billed.change(note="Thank you") == [billed.logs[:2], billed.logs[2:]]
    assert [each["id"] for each in acme.ok("GET", billed.path)["lines"]] == billed.ids
    assert billed.states() == ON_IT


def test_a_line_that_a_draft_does_not_have_is_refused_with_all_else(acme, billed):
    elsewhere = invoice(acme, draft=True)["lines"][0]["id"]
    lines = [line() | {"id": elsewhere}, line(accountId="none") | {"id": billed.ids[0]}, line() | {"id": billed.ids[0]}]
    error = acme.refused("PATCH", billed.path, {"lines": lines}, status=422, code="validation_failed")
    assert complaints(error) == {
        "lines[0].id": "unknown_reference",
        "lines[1].accountId": "unknown_reference",
        "lines[2].id": "repeated",
    }
    assert billed.states() == ON_IT


def test_only_a_draft_that_is_changed_has_lines_with_ids(acme):
    error = acme.refused("POST", "/finance/invoices", new_invoice(line(id="x")), status=422)
    assert complaint(error) == ("lines[0].id", "read_only")


def test_a_credit_note_bills_no_time(acme, billed):
    error = acme.refused("PATCH", billed.path, {"kind": "sales_credit_note"}, status=422)
    assert complaint(error) == ("kind", "bills_time")
    assert billed.change(kind="sales_credit_note", lines=[line()]) == [[]]


def test_a_preview_touches_no_time(acme, billed):
    lines = [{"description": "x", "quantity": "1", "unitPrice": "1.00", "taskId": billed.tasks[0]}]
    body = {"customerId": billed.draft["customerId"], "lines": lines}
    acme.ok("POST", "/finance/invoices/preview", body)
    assert billed.states() == ON_IT
