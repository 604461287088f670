"""Recurring invoices and journal entries: made on their date or caught up, each once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from erp.finance.billing.recurring import due, making
from erp.finance.billing.recurring.models import RecurringOccurrence
from erp.finance.journals import journals
from erp.kernel.errors import Busy
from erp.store import control, hourly
from erp.store.router import WORKSPACE
from erp.system.checks import files
from tests.crowds import all_at_once
from tests.finance.billing.recurring import (
    RECURRING,
    an_hour_begins,
    made_on,
    occurrences,
    recurring,
    rent,
    retainer,
    shown,
)
from tests.finance.books.balances import balances
from tests.finance.books.dimensions import debit, dimension
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import line

WORDS = ["name", "status", "nextOn", "lastOn", "failure"]


@pytest.fixture(autouse=True)
def _january(clock_at):
    clock_at("2026-01-10T09:00:00Z")


@pytest.fixture
def landlord(acme) -> str:
    id: str = acme.ok("POST", "/finance/contacts", {"kind": "supplier", "name": "Elbe Immobilien"})["id"]
    return id


@pytest.fixture
def globex(acme) -> str:
    id: str = customer(acme)["id"]
    return id


def complaints(error) -> dict[str, str]:
    return {detail["field"]: detail["code"] for detail in error["details"]}


def wrong(office, body) -> dict[str, str]:
    return complaints(office.refused("POST", RECURRING, body, status=422))


def events(office, act: str) -> list[dict[str, Any]]:
    rows = office.ok("GET", f"/workspace/events?type=recurring_document.{act}")
    return [row["data"] for row in rows]


def lock(office, through: str) -> None:
    office.ok("POST", "/finance/periods/lock", {"throughDate": through, "reason": "The month is filed"})


def test_the_rent_of_a_quarter_is_owed(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    assert [made[word] for word in WORDS] == ["Rent", "active", "2026-01-31", None, None]
    an_hour_begins(acme)
    assert made_on(acme, made) == []
    for day in ("2026-01-31", "2026-02-28", "2026-03-31"):
        clock_at(f"{day}T00:00:00Z")
        an_hour_begins(acme)
        an_hour_begins(acme)
    assert made_on(acme, made) == ["2026-01-31", "2026-02-28", "2026-03-31"]
    assert balances(acme) == {"1300": 85_500, "2000": -535_500, "6100": 450_000}
    assert shown(acme, made)["nextOn"] == "2026-04-30"
    entries = acme.ok("GET", "/finance/journals?sort=date")
    assert [(each["date"], each["description"], each["reference"]) for each in entries] == [
        ("2026-01-31", "Rent January 2026", "2026/1"),
        ("2026-02-28", "Rent February 2026", "2026/1"),
        ("2026-03-31", "Rent March 2026", "2026/1"),
    ]


@pytest.mark.parametrize(
    ("settings", "month"),
    [({"country": "CH"}, "Januar"), ({"country": "DE", "paperLanguage": "en"}, "January"), ({}, "January")],
)
def test_months_are_in_the_language_of_the_office_s_papers(acme, landlord, settings, month, clock_at):
    clock_at("2026-01-31T09:00:00Z")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", settings)
    made = recurring(acme, rent(landlord))
    an_hour_begins(acme)
    assert made_on(acme, made) == ["2026-01-31"]
    (entry,) = acme.ok("GET", "/finance/journals")
    assert entry["description"] == f"Rent {month} 2026"


def test_what_was_missed_while_the_server_was_off_is_made_once_dated_as_it_should_have_been(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    clock_at("2026-02-25T20:00:00Z")
    an_hour_begins(acme)
    assert made_on(acme, made) == ["2026-01-31"]
    clock_at("2026-04-02T07:00:00Z")
    an_hour_begins(acme)
    an_hour_begins(acme)
    assert made_on(acme, made) == ["2026-01-31", "2026-02-28", "2026-03-31"]
    entries = acme.ok("GET", "/finance/journals?sort=date")
    assert [each["date"] for each in entries[1:]] == ["2026-02-28", "2026-03-31"]
    assert {each["createdAt"][:10] for each in entries[1:]} == {"2026-04-02"}


def test_an_invoice_is_issued_with_its_texts_and_its_due_date(acme, globex, clock_at):
    made = recurring(acme, retainer(globex, dueDays=10))
    clock_at("2026-02-28T09:00:00Z")
    an_hour_begins(acme)
    february = occurrences(acme, made)[1]
    assert (february["status"], february["documentType"], february["warning"]) == ("made", "invoice", None)
    assert (february["periodFrom"], february["periodTo"]) == ("2026-02-28", "2026-03-30")
    invoice = acme.ok("GET", f"/finance/invoices/{february['documentId']}")
    assert invoice["number"] == february["documentNumber"] == "INV-2026-00002"
    assert (invoice["status"], invoice["issueDate"], invoice["dueDate"]) == ("issued", "2026-02-28", "2026-03-10")
    assert invoice["lines"][0]["description"] == "Retainer February 2026, 2026-02-28 to 2026-03-30"
    assert invoice["createdByUserId"] == acme.user["id"]


def test_a_german_office_writes_german_months(installation, clock_at):
    clock_at("2026-02-27T09:00:00Z")
    berlin = installation.office("Berta", country="DE")
    made = recurring(berlin, retainer(customer(berlin)["id"], **{"from": "2026-03-01"}))
    clock_at("2026-03-01T09:00:00Z")
    berlin.ok("POST", f"{RECURRING}/{made['id']}/run")
    (invoice,) = berlin.ok("GET", "/finance/invoices")
    line = berlin.ok("GET", f"/finance/invoices/{invoice['id']}")["lines"][0]
    assert line["description"] == "Retainer März 2026, 01.03.2026 to 31.03.2026"


def test_a_draft_stays_a_draft_and_a_deleted_one_is_not_made_again(acme, globex, clock_at):
    made = recurring(acme, retainer(globex, mode="draft"))
    clock_at("2026-01-31T09:00:00Z")
    an_hour_begins(acme)
    (only,) = occurrences(acme, made)
    assert acme.ok("GET", f"/finance/invoices/{only['documentId']}")["status"] == "draft"
    acme.ok("DELETE", f"/finance/invoices/{only['documentId']}")
    clock_at("2026-01-31T12:00:00Z")
    an_hour_begins(acme)
    assert acme.ok("GET", "/finance/invoices") == []
    assert occurrences(acme, made) == [only]


def test_the_next_dates_are_shown(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord, times=4))
    clock_at("2026-02-01T09:00:00Z")
    assert [(each["date"], each["status"]) for each in occurrences(acme, made, 12)] == [
        ("2026-01-31", "due"),
        ("2026-02-28", "planned"),
        ("2026-03-31", "planned"),
        ("2026-04-30", "planned"),
    ]
    an_hour_begins(acme)
    assert [(each["date"], each["status"]) for each in occurrences(acme, made, 1)] == [
        ("2026-01-31", "made"),
        ("2026-02-28", "planned"),
    ]


def test_a_date_in_the_locked_period_makes_a_draft_of_today_with_a_warning(acme, globex, clock_at):
    made = recurring(acme, retainer(globex, dueDays=10))
    clock_at("2026-03-05T09:00:00Z")
    lock(acme, "2026-01-31")
    an_hour_begins(acme)
    january, february = occurrences(acme, made)
    assert january["warning"] == (
        "The books are locked through 2026-01-31. This is a draft dated 2026-03-05 in place of 2026-01-31."
    )
    draft = acme.ok("GET", f"/finance/invoices/{january['documentId']}")
    assert (draft["status"], draft["issueDate"], draft["dueDate"]) == ("draft", "2026-03-05", "2026-03-15")
    assert draft["lines"][0]["description"].startswith("Retainer January 2026")
    assert (february["documentNumber"], february["warning"]) == ("INV-2026-00001", None)


def test_a_journal_entry_of_the_locked_period_is_posted_today_with_a_warning(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    clock_at("2026-02-05T09:00:00Z")
    lock(acme, "2026-01-31")
    an_hour_begins(acme)
    (only,) = occurrences(acme, made)
    assert "This was posted dated 2026-02-05" in only["warning"]
    assert acme.ok("GET", f"/finance/journals/{only['documentId']}")["date"] == "2026-02-05"


def test_a_change_acts_on_what_has_not_been_made(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    clock_at("2026-02-01T09:00:00Z")
    an_hour_begins(acme)
    dearer = rent(landlord)["journal"]
    amounts = ({"debit": "1600.00"}, {"debit": "304.00"}, {"credit": "1904.00"})
    dearer["lines"] = [each | amount for each, amount in zip(dearer["lines"], amounts, strict=True)]
    path = f"{RECURRING}/{made['id']}"
    changed = acme.ok("PATCH", path, {"journal": dearer, "day": 15, "from": "2026-01-15"})
    assert (changed["nextOn"], changed["version"]) == ("2026-02-15", made["version"] + 2)
    assert acme.ok("PATCH", path, {"day": 15})["version"] == changed["version"]
    clock_at("2026-02-15T09:00:00Z")
    an_hour_begins(acme)
    assert made_on(acme, made) == ["2026-01-31", "2026-02-15"]
    assert balances(acme) == {"1300": 58_900, "2000": -368_900, "6100": 310_000}


def test_what_passes_during_a_pause_is_not_made(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    path = f"{RECURRING}/{made['id']}"
    clock_at("2026-02-01T09:00:00Z")
    an_hour_begins(acme)
    assert acme.ok("POST", f"{path}/pause")["status"] == "paused"
    acme.refused("POST", f"{path}/pause", status=409)
    clock_at("2026-04-01T09:00:00Z")
    an_hour_begins(acme)
    acme.refused("POST", f"{path}/run", status=409, code="invalid_transition")
    resumed = acme.ok("POST", f"{path}/resume")
    assert (resumed["status"], resumed["nextOn"]) == ("active", "2026-04-30")
    acme.refused("POST", f"{path}/resume", status=409)
    clock_at("2026-04-30T09:00:00Z")
    an_hour_begins(acme)
    assert made_on(acme, made) == ["2026-01-31", "2026-04-30"]


def test_what_cannot_be_made_is_told_tried_again_the_next_day_and_holds_up_nothing(acme, globex, landlord, clock_at):
    failing = recurring(acme, retainer(globex))
    sound = recurring(acme, rent(landlord))
    acme.ok("POST", f"/finance/contacts/{globex}/archive")
    clock_at("2026-02-28T09:00:00Z")
    an_hour_begins(acme)
    assert made_on(acme, sound) == ["2026-01-31", "2026-02-28"]
    now = shown(acme, failing)
    assert (now["nextOn"], now["failedOn"]) == ("2026-01-31", "2026-02-28")
    assert now["failure"].startswith("customerId: ")
    assert "archived" in now["failure"]
    assert [row["id"] for row in acme.ok("GET", f"{RECURRING}?isFailing=true")] == [failing["id"]]
    error = acme.refused("POST", f"{RECURRING}/{failing['id']}/run", status=422)
    assert set(complaints(error)) == {"customerId"}
    acme.ok("POST", f"/finance/contacts/{globex}/unarchive")
    clock_at("2026-02-28T20:00:00Z")
    an_hour_begins(acme)
    assert made_on(acme, failing) == []
    clock_at("2026-03-01T00:00:00Z")
    an_hour_begins(acme)
    assert made_on(acme, failing) == ["2026-01-31", "2026-02-28"]
    assert (shown(acme, failing)["failure"], shown(acme, failing)["failedOn"]) == (None, None)
    assert len(events(acme, "failed")) == 1


def test_what_goes_wrong_in_the_program_holds_up_nothing_either(acme, globex, landlord, clock_at, monkeypatch):
    failing = recurring(acme, rent(landlord))
    sound = recurring(acme, retainer(globex))

    def fail(entry) -> None:
        raise RuntimeError("a mistake of the program")

    monkeypatch.setattr(journals, "post", fail)
    clock_at("2026-01-31T09:00:00Z")
    an_hour_begins(acme)
    assert made_on(acme, sound) == ["2026-01-31"]
    assert shown(acme, failing)["failure"] == "Something went wrong on the server, whose log says more."


def test_what_a_busy_server_leaves_is_made_an_hour_later(acme, landlord, clock_at, monkeypatch):
    made = recurring(acme, rent(landlord))
    maker = due.Maker(acme.installation.config)

    def busy(document) -> None:
        raise Busy

    clock_at("2026-01-31T09:00:00Z")
    with monkeypatch.context() as patch:
        patch.setattr(making, "make_next", busy)
        maker.look()
    assert (made_on(acme, made), shown(acme, made)["failure"]) == ([], None)
    clock_at("2026-01-31T10:00:00Z")
    maker.look()
    assert made_on(acme, made) == ["2026-01-31"]


def test_the_thread_survives_whatever_happens(acme, landlord, clock_at, monkeypatch, caplog):
    made = recurring(acme, rent(landlord))
    maker = due.Maker(acme.installation.config)

    def fail(workspace_id: str) -> None:
        raise RuntimeError("a mistake of the program")

    clock_at("2026-01-31T09:00:00Z")
    with monkeypatch.context() as patch:
        patch.setattr(due, "_due", fail)
        maker.look()
    assert "could not all be made" in caplog.text
    clock_at("2026-01-31T10:00:00Z")
    maker.look()
    assert made_on(acme, made) == ["2026-01-31"]


def test_all_workspaces_are_served_but_archived_ones(acme, stranger, landlord, clock_at):
    theirs = recurring(stranger, retainer(customer(stranger)["id"], **{"from": "2026-01-15"}))
    ours = recurring(acme, rent(landlord, **{"from": "2026-01-15"}))
    acme.ok("POST", f"/workspace/{acme.workspace_id}/archive")
    clock_at("2026-01-15T09:00:00Z")
    an_hour_begins(acme)
    assert made_on(stranger, theirs) == ["2026-01-15"]
    acme.ok("POST", f"/workspace/{acme.workspace_id}/unarchive")
    assert made_on(acme, ours) == []


def test_a_file_that_cannot_be_read_keeps_no_other_workspace_waiting(acme, stranger, landlord, clock_at, spoil):
    recurring(acme, rent(landlord))
    theirs = recurring(stranger, retainer(customer(stranger)["id"], **{"from": "2026-01-15"}))
    spoil(acme)
    clock_at("2026-01-15T09:00:00Z")
    an_hour_begins(stranger)
    assert made_on(stranger, theirs) == ["2026-01-15"]


def test_the_thread_looks_when_an_hour_begins(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    maker = due.Maker(acme.installation.config)
    moments = iter(["2026-01-30T23:59:00Z", "2026-01-30T23:59:59Z", "2026-01-31T00:00:00Z"])
    seen = []

    def wait(seconds: float) -> bool:
        seen.append((seconds, made_on(acme, made)))
        moment = next(moments, None)
        if moment is not None:
            clock_at(moment)
        return moment is None

    maker.run(wait)
    assert seen == [
        (due.Maker.first_look, []),
        (hourly.LOOK_EVERY, []),
        (hourly.LOOK_EVERY, []),
        (hourly.LOOK_EVERY, ["2026-01-31"]),
    ]


def test_an_end_is_told_before_it_comes(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord, until="2026-03-31", remindDays=14))
    assert (made["lastOn"], made["isEnding"]) == ("2026-03-31", False)
    clock_at("2026-03-16T09:00:00Z")
    an_hour_begins(acme)
    assert (shown(acme, made)["isEnding"], events(acme, "ending")) == (False, [])
    for hour in (9, 10):
        clock_at(f"2026-03-17T{hour:02}:00:00Z")
        an_hour_begins(acme)
    assert shown(acme, made)["isEnding"] is True
    assert [row["id"] for row in acme.ok("GET", f"{RECURRING}?isEnding=true")] == [made["id"]]
    assert events(acme, "ending") == [{"name": "Rent", "lastOn": "2026-03-31"}]
    clock_at("2026-03-31T09:00:00Z")
    an_hour_begins(acme)
    assert [shown(acme, made)[word] for word in WORDS[1:3]] == ["ended", None]
    acme.refused("POST", f"{RECURRING}/{made['id']}/pause", status=409)
    assert acme.ok("GET", f"{RECURRING}?isEnding=true") == []


def test_one_that_had_ended_goes_on_from_today(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord, times=1))
    clock_at("2026-01-31T09:00:00Z")
    an_hour_begins(acme)
    clock_at("2026-05-02T09:00:00Z")
    path = f"{RECURRING}/{made['id']}"
    assert acme.ok("PATCH", path, {"name": "Old rent"})["status"] == "ended"
    assert acme.ok("PATCH", path, {"times": None})["nextOn"] == "2026-05-31"
    an_hour_begins(acme)
    assert made_on(acme, made) == ["2026-01-31"]


def test_it_says_what_the_caller_may_do_with_it_now(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    path = f"{RECURRING}/{made['id']}"
    assert made["can"] == ["update", "pause", "delete"]
    viewer = acme.colleague("viewer")
    assert viewer.ok("GET", path)["can"] == []
    clock_at("2026-01-31T09:00:00Z")
    assert shown(acme, made)["can"] == ["update", "pause", "run", "delete"]
    assert acme.ok("POST", f"{path}/pause")["can"] == ["update", "resume", "delete"]
    acme.ok("POST", f"{path}/resume")
    acme.ok("POST", f"{path}/run")
    assert shown(acme, made)["can"] == acme.ok("GET", RECURRING)[0]["can"] == ["update", "pause"]
    assert acme.ok("PATCH", path, {"times": 1})["can"] == ["update"]


def test_the_list_is_filtered(acme, globex, landlord):
    recurring(acme, rent(landlord))
    paused = recurring(acme, retainer(globex))
    acme.ok("POST", f"{RECURRING}/{paused['id']}/pause")

    def names(**query: str) -> list[str]:
        return [row["name"] for row in acme.ok("GET", RECURRING, params=query)]

    assert names() == ["Rent", "Retainer"]
    assert names(kind="invoice") == names(status="paused") == names(q="tain") == ["Retainer"]
    assert names(status="active") == ["Rent"]
    assert names(status="ended") == []


def test_one_that_has_made_nothing_can_be_deleted(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    acme.ok("DELETE", f"{RECURRING}/{made['id']}")
    kept = recurring(acme, rent(landlord))
    clock_at("2026-01-31T09:00:00Z")
    an_hour_begins(acme)
    acme.refused("DELETE", f"{RECURRING}/{kept['id']}", status=409, code="in_use")


def test_what_could_not_be_made_is_refused_when_it_is_set_up(acme, globex, landlord):
    assert wrong(acme, {"name": "Nothing", "from": "2026-01-31"}) == {"invoice": "exactly_one"}
    assert wrong(acme, {**rent(landlord), **retainer(globex)}) == {"journal": "exactly_one"}
    body = retainer(globex, day=5, unit="week", until="2026-01-30")
    body["invoice"] |= {"issueDate": "2026-01-01", "dueDate": "2026-01-05", "note": "For {moon}"}
    body["invoice"]["lines"][0]["accountId"] = "9999"
    assert wrong(acme, body) == {
        "day": "not_needed",
        "until": "too_early",
        "invoice.issueDate": "not_needed",
        "invoice.dueDate": "not_needed",
        "invoice.note": "unknown_name",
        "invoice.lines[0].accountId": "unknown_reference",
    }
    body = rent("nobody", mode="draft", dueDays=5)
    assert wrong(acme, body) == {
        "mode": "no_draft",
        "dueDays": "not_needed",
        "journal.lines[2].contactId": "unknown_reference",
    }
    body = rent(landlord)
    body["journal"]["lines"][1]["debit"] = "285.01"
    acme.refused("POST", RECURRING, body, status=422, code="unbalanced_entry")
    assert acme.ok("GET", RECURRING) == []


def test_a_new_customer_is_added_once(acme, clock_at):
    body = retainer("")
    body["invoice"] = {"customer": {"name": "Initech", "currency": "ZZZ"}, "lines": body["invoice"]["lines"]}
    assert wrong(acme, body) == {"invoice.customer.currency": "unknown_currency"}
    body["invoice"]["customer"] = {"name": "Initech", "paymentTermsDays": 7}
    made = recurring(acme, body)
    (contact,) = acme.ok("GET", "/finance/contacts")
    assert made["invoice"]["customerId"] == contact["id"]
    clock_at("2026-02-28T09:00:00Z")
    an_hour_begins(acme)
    invoices = acme.ok("GET", "/finance/invoices?sort=issueDate")
    assert [(each["customerName"], each["dueDate"]) for each in invoices] == [
        ("Initech", "2026-02-07"),
        ("Initech", "2026-03-07"),
    ]


@pytest.mark.parametrize("day", ["first", "31", 32, 0, True, 1.5])
def test_a_day_of_the_month_is_a_number_or_the_last(acme, landlord, day):
    assert wrong(acme, rent(landlord, day=day)) == {"day": "not_a_day"}
    assert recurring(acme, rent(landlord, day="last"))["day"] == "last"
    assert recurring(acme, rent(landlord, day=30))["day"] == 30


def test_all_parts_of_an_invoice_recur(acme, globex, clock_at):
    lines = [
        line("10.005", "2.5", discount={"percent": "10"}, charge={"amount": "1.00"}, taxRateId=None),
        line("3.00", charge={"percent": "5"}, description="Care {quarter}/{year}"),
    ]
    body = retainer(globex, *lines, **{"from": "2026-01-10"})
    body["invoice"] |= {"charges": [{"amount": "4.00", "taxRateId": None}], "discount": {"amount": "0.50"}}
    body["invoice"]["note"] = "{date}"
    preview = acme.ok("POST", "/finance/invoices/preview", body["invoice"])
    made = recurring(acme, body)
    assert made["invoice"] == body["invoice"] | {"kind": "sales_invoice", "force": False, "timeSheet": False}
    (run,) = acme.ok("POST", f"{RECURRING}/{made['id']}/run")["made"]
    invoice = acme.ok("GET", f"/finance/invoices/{run['documentId']}")
    assert (invoice["total"], invoice["note"]) == (preview["total"], "2026-01-10")
    assert invoice["lines"][1]["description"] == "Care 1/2026"


def test_a_start_long_ago_needs_a_word(acme, landlord):
    assert wrong(acme, rent(landlord, **{"from": "2016-01-31"})) == {"from": "far_past"}
    made = recurring(acme, rent(landlord, **{"from": "2025-01-10"}))
    acme.ok("POST", f"{RECURRING}/{made['id']}/run")
    assert len(made_on(acme, made)) == 13  # a year ago to today
    assert recurring(acme, rent(landlord, allowPast=True, **{"from": "2016-01-31"}))["nextOn"] == "2016-01-31"


def test_a_recurring_invoice_abroad_takes_the_rate_of_its_date(acme, globex, clock_at):
    acme.ok("POST", "/finance/exchange-rates", {"currency": "USD", "date": "2026-01-09", "rate": "0.90"})
    body = retainer(globex)
    body["invoice"]["currency"] = "USD"
    made = recurring(acme, body)
    clock_at("2026-02-02T09:00:00Z")
    an_hour_begins(acme)
    assert shown(acme, made)["failure"].startswith("exchangeRate: There is no exchange rate of USD from 2026-01-21")
    acme.ok("POST", "/finance/exchange-rates", {"currency": "USD", "date": "2026-01-30", "rate": "0.95"})
    acme.ok("POST", f"{RECURRING}/{made['id']}/run")
    assert balances(acme) == {"1100": 9_500, "4000": -9_500}


def test_sixteen_at_once_make_each_occurrence_once(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    clock_at("2026-04-02T09:00:00Z")
    answers, statuses = all_at_once(acme, [(f"{RECURRING}/{made['id']}/run", {})] * 16)
    assert statuses == {200: 16}
    assert sorted(len(answer.json["data"]["made"]) for answer in answers) == [0] * 15 + [3]
    assert made_on(acme, made) == ["2026-01-31", "2026-02-28", "2026-03-31"]
    assert balances(acme) == {"1300": 85_500, "2000": -535_500, "6100": 450_000}


def test_sixteen_servers_threads_make_each_occurrence_once(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    clock_at("2026-04-02T09:00:00Z")
    barrier = Barrier(16)

    def look(_: int) -> None:
        barrier.wait()
        an_hour_begins(acme)

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(look, range(16)))
    assert made_on(acme, made) == ["2026-01-31", "2026-02-28", "2026-03-31"]
    assert balances(acme) == {"1300": 85_500, "2000": -535_500, "6100": 450_000}
    assert shown(acme, made)["failure"] is None


def test_a_document_and_the_mark_of_its_date_stand_or_fall_together(acme, landlord, clock_at, monkeypatch):
    made = recurring(acme, rent(landlord))
    clock_at("2026-01-31T09:00:00Z")

    def full(*columns, **values) -> None:
        raise RuntimeError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(RecurringOccurrence, "create", full)
        an_hour_begins(acme)
    assert (balances(acme), made_on(acme, made)) == ({}, [])


def test_the_check_knows_what_recurs_and_the_file_keeps_what_was_made(acme, landlord, clock_at):
    made = recurring(acme, rent(landlord))
    clock_at("2026-03-31T09:00:00Z")
    an_hour_begins(acme)
    acme.ok("POST", f"{RECURRING}/{made['id']}/pause")
    acme.ok("POST", f"{RECURRING}/{made['id']}/resume")

    def check() -> list[str]:
        with acme.acting():
            report = files.workspace_file(control.workspace_path(acme.workspace_id))
        return report.problems + report.altered

    assert check() == []
    with pytest.raises(Exception, match="never changed"), acme.books(write=True):
        WORKSPACE.run("UPDATE recurring_occurrence SET date = '2026-05-05'")
    with acme.books(write=True):
        WORKSPACE.run("UPDATE recurring_document SET every = 2")
    (problem,) = check()
    assert problem == "Another program has changed recurring document Rent: its every is 2, but its event recorded 1."


def test_an_invoice_is_for_the_time_until_the_next(acme, globex, clock_at):
    made = recurring(acme, retainer(globex, line("10.00"), **{"from": "2026-01-31"}))
    clock_at("2026-02-28T09:00:00Z")
    runs = acme.ok("POST", f"{RECURRING}/{made['id']}/run")["made"]
    invoices = [acme.ok("GET", f"/finance/invoices/{run['documentId']}") for run in runs]
    assert [invoice["servicePeriod"] for invoice in invoices][:2] == [
        {"from": "2026-01-31", "to": "2026-02-27"},
        {"from": "2026-02-28", "to": "2026-03-30"},
    ]


def test_a_line_takes_from_its_product_what_it_leaves_out(acme, globex, clock_at):
    product = acme.ok("POST", "/finance/products", {"name": "Care", "unitPrice": "40.00"})
    body = retainer(globex, {"productId": product["id"], "quantity": "2"}, **{"from": "2026-01-31"})
    made = recurring(acme, body)
    clock_at("2026-01-31T09:00:00Z")
    (run,) = acme.ok("POST", f"{RECURRING}/{made['id']}/run")["made"]
    assert acme.ok("GET", f"/finance/invoices/{run['documentId']}")["total"] == "80.00"


def test_recurring_documents_keep_the_values_of_their_lines(acme, clock_at):
    clock_at("2026-01-31T09:00:00Z")
    dimension(acme, "100")
    lines = [debit("6100", "5.00", cc="100"), {"accountId": "1010", "credit": "5.00"}]
    journal = {"description": "Rent {month}", "lines": lines}
    made = recurring(acme, {"name": "Rent", "journal": journal, "unit": "month", "from": "2026-01-31", "mode": "issue"})
    assert made["journal"]["lines"][0]["dimensions"] == {"cc": "100"}
    acme.ok("POST", f"/finance/recurring/{made['id']}/run", {})
    (entry,) = acme.ok("GET", "/finance/journals", params={"include": "lines"})
    assert [each["dimensions"] for each in entry["lines"]] == [{"cc": "100"}, {}]
