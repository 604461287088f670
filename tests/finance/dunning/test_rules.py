"""Levels, base rates, blocks, who is left out, letters and what may be done with them."""

import io
import threading

import pypdf
import pytest

from tests.finance.documents.invoices import credit, invoice
from tests.finance.dunning.reminders import (
    LETTERS,
    LEVELS,
    RATES,
    RUNS,
    amounts,
    counts,
    customer,
    firm,
    germany,
    levels,
    make,
    owed,
    proposal,
    proposed,
)
from tests.finance.payments.payments import payment
from tests.finance.soundness import problems


@pytest.fixture
def office(acme, clock_at):
    clock_at("2026-08-01T09:00:00Z")
    return acme


def skipped(office, day):
    return [(each["why"], each["number"], each["until"]) for each in proposal(office, day)["skipped"]]


def test_a_new_workspace_has_three_levels_that_can_be_changed(office):
    fields = ("position", "name", "daysAfter", "payWithinDays", "fee", "chargesInterest", "chargesLumpSum")
    assert [tuple(level[name] for name in fields) for level in levels(office)] == [
        (1, "Payment reminder", 7, 7, "0.00", False, False),
        (2, "Reminder", 14, 7, "0.00", False, False),
        (3, "Final reminder", 10, 7, "0.00", True, False),
    ]
    new = {"name": "Last", "daysAfter": 5, "payWithinDays": 3, "fee": "5.00"}
    assert [office.ok("POST", LEVELS, new)["position"] for _ in range(2)] == [4, 5]
    office.refused("POST", LEVELS, new, status=409, code="level_limit")
    fifth = levels(office)[4]
    office.refused("PATCH", f"{LEVELS}/{fifth['id']}", {"position": 1}, status=409, code="position_taken")
    office.ok("DELETE", f"{LEVELS}/{fifth['id']}")
    assert office.ok("PATCH", f"{LEVELS}/{levels(office)[3]['id']}", {"fee": "7.50"})["fee"] == "7.50"
    owed(office, "100.00", "2026-03-01")
    letter = make(office, "2026-03-10")
    first = levels(office)[0]
    office.refused("DELETE", f"{LEVELS}/{first['id']}", status=409, code="in_use")
    office.ok("POST", f"{LETTERS}/{letter['id']}/undo", {"reason": "Paid"})
    office.ok("DELETE", f"{LEVELS}/{first['id']}")


def test_terms_are_those_of_the_country_until_the_office_has_its_own(office):
    def terms(**changes):
        return office.ok("PATCH", f"/workspace/{office.workspace_id}", changes)["reminders"]

    german = terms(country="DE")
    assert german == {
        "minimumAmount": "5.00",
        "businessPoints": "9",
        "consumerPoints": "5",
        "fixedConsumerRate": None,
        "lumpSum": {"currency": "EUR", "amount": "40.00"},
        "consumerInterestFrom": "first_letter",
    }
    austrian = terms(country="AT")
    assert amounts(austrian, "businessPoints", "consumerPoints", "fixedConsumerRate") == ["9.2", None, "4"]
    assert terms(country="GB")["businessPoints"] == "8"
    assert amounts(terms(country="FR"), "businessPoints", "lumpSum") == [None, None]
    own = terms(country="DE", reminders={"minimumAmount": "0.00", "businessPoints": "8", "lumpSum": None})
    assert amounts(own, "minimumAmount", "businessPoints", "consumerPoints", "lumpSum") == ["0.00", "8", "5", None]
    assert terms(reminders=None) == german
    wrong = {"reminders": {"lumpSum": {"currency": "JPY", "amount": "40.50"}}}
    error = office.refused("PATCH", f"/workspace/{office.workspace_id}", wrong, status=422)
    assert [detail["field"] for detail in error["details"]] == ["reminders.lumpSum.amount"]


def test_interest_needs_a_rate_of_each_day(office):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"country": "DE"})
    firm(office)
    owed(office, "100.00", "2026-03-01")
    error = office.refused("GET", f"{RUNS}/proposal", params={"date": "2026-03-20"}, status=422, code="no_base_rate")
    assert "2 Mar 2026" in error["message"]
    rate = office.ok("POST", RATES, {"validFrom": "2026-03-01", "rate": "1.27"})
    office.refused("POST", RATES, {"validFrom": "2026-03-01", "rate": "2"}, status=409, code="day_taken")
    office.refused("POST", RATES, {"validFrom": "2026-04-01", "rate": "100.5"}, status=422)
    assert proposed(office, "2026-03-20")["interest"] == "0.53"
    assert office.ok("PATCH", f"{RATES}/{rate['id']}", {"rate": "-9.5"})["rate"] == "-9.5"
    assert proposed(office, "2026-03-20")["interest"] == "0.00"
    assert [each["rate"] for each in office.ok("GET", RATES)] == ["-9.5"]
    office.ok("DELETE", f"{RATES}/{rate['id']}")


def test_blocks_hold_until_their_day_or_until_they_are_lifted(office):
    globex = customer(office)
    disputed = owed(office, "100.00", "2026-03-01", globex)
    path = f"/finance/invoices/{disputed['id']}"
    block = {"kind": "disputed", "reason": "Wrong hours"}
    office.refused("POST", f"{path}/reminder-block", {**block, "until": "2026-07-31"}, status=422)
    shown = office.ok("POST", f"{path}/reminder-block", {**block, "until": "2026-08-03"})
    assert amounts(shown["reminderBlock"], "kind", "reason", "until", "blocks") == [
        *("disputed", "Wrong hours", "2026-08-03", "invoice")
    ]
    office.refused("POST", f"{path}/reminder-block", block, status=409, code="already_blocked")
    assert skipped(office, "2026-08-01") == [("blocked_document", disputed["number"], "2026-08-03")]
    assert skipped(office, "2026-08-04") == []

    def blocked(flag):
        return [each["id"] for each in office.ok("GET", "/finance/invoices", params={"isBlocked": flag})]

    assert (blocked("true"), blocked("false")) == ([disputed["id"]], [])
    assert office.ok("POST", f"{path}/reminder-block/lift")["isBlocked"] is False
    office.refused("POST", f"{path}/reminder-block/lift", status=409, code="invalid_transition")
    contact = f"/finance/contacts/{globex['id']}"
    office.ok("POST", f"{contact}/reminder-block", {"kind": "agreed", "reason": "Pays in parts"})
    assert skipped(office, "2026-08-01") == [("blocked_contact", None, None)]
    assert office.ok("GET", path)["reminderBlock"]["blocks"] == "contact"
    chosen = {"letters": [{"contactId": globex["id"], "currency": "EUR"}]}
    error = office.refused("POST", RUNS, chosen, status=409, code="not_due")
    assert [detail["field"] for detail in error["details"]] == ["letters[0]"]
    assert office.ok("POST", f"{contact}/reminder-block/lift")["reminderBlock"] is None
    draft = invoice(office, draft=True)
    office.refused("POST", f"/finance/invoices/{draft['id']}/reminder-block", block, status=409)


def test_the_proposal_says_who_is_left_out_and_why(office):
    germany(office)
    names = {}

    def owing(name, amount, due="2026-03-01"):
        names[name] = customer(office, name)
        return owed(office, amount, due, names[name])

    owing("Small", "5.00")
    fresh = owing("Fresh", "100.00", "2026-03-18")
    doubtful, gone = owing("Doubtful", "100.00"), owing("Gone", "100.00")
    owing("Covered", "100.00")
    payment(office, "100.00", contactId=names["Covered"]["id"], direction="received", date="2026-03-05")
    for number, category in ((doubtful, "doubtful"), (gone, "uncollectable")):
        body = {"category": category, "reason": "Bankrupt", "date": "2026-03-10"}
        office.ok("POST", f"/finance/invoices/{number['id']}/write-off", body)
    paid = owing("Paid", "100.00")
    payment(office, "100.00", date="2026-03-10", invoiceId=paid["id"])
    void = owing("Void", "100.00")
    office.ok("POST", f"/finance/invoices/{void['id']}/void", {})
    credit(office, owing("Credited", "100.00"))
    found = proposal(office, "2026-03-20")
    assert found["letters"] == []
    by_name = {each["contactName"]: (each["why"], each["number"], each["until"]) for each in found["skipped"]}
    assert by_name == {
        "Small": ("below_minimum", None, None),
        "Fresh": ("not_yet", fresh["number"], "2026-03-24"),
        "Doubtful": ("doubtful", doubtful["number"], None),
        "Gone": ("written_off", gone["number"], None),
        "Covered": ("credit_covers", None, None),
    }
    assert proposed(office, "2026-03-25")["contactName"] == "Fresh"
    make(office, "2026-03-25")
    owed(office, "40.00", "2026-03-20", names["Fresh"], currency="USD", exchangeRate="0.5")
    owed(office, "8.00", "2026-03-20", names["Small"])
    merged = customer(office, "Fresh & Co")
    owed(office, "70.00", "2026-04-20", merged)
    office.ok("POST", f"/finance/contacts/{names['Fresh']['id']}/merge", {"intoContactId": merged["id"]})
    blocked = owed(office, "60.00", "2026-03-02", names["Covered"])
    held = {"kind": "disputed", "reason": "Late", "until": "2026-08-03"}
    office.ok("POST", f"/finance/invoices/{blocked['id']}/reminder-block", held)
    assert counts(office) == {0, 1, 2, 3}


def test_a_letter_keeps_its_figures_and_can_be_undone(office):
    germany(office)
    globex = customer(office)
    first, second = owed(office, "100.00", "2026-03-01", globex), owed(office, "80.00", "2026-03-08", globex)
    letter = make(office, "2026-03-10")
    assert amounts(letter, "number", "status", "level", "total", "payBy", "chargesStatus", "isSent") == [
        *("REM-2026-00001", "made", 1, "180.00", "2026-03-17", "none", False)
    ]
    assert [(item["number"], item["lastLevel"], item["level"]) for item in letter["items"]] == [
        (first["number"], 0, 1),
        (second["number"], 0, 0),
    ]
    shown = office.ok("GET", f"/finance/invoices/{first['id']}")
    assert amounts(shown, "reminderLevel", "lastReminderOn", "isBlocked") == [1, "2026-03-10", False]
    assert [each["id"] for each in office.ok("GET", "/finance/invoices", params={"reminderLevel": "1"})] == [
        first["id"]
    ]
    again = {"date": "2026-03-10", "letters": [{"contactId": globex["id"], "currency": "EUR"}]}
    office.refused("POST", RUNS, again, status=409, code="not_due")
    payment(office, "80.00", date="2026-03-12", invoiceId=second["id"])
    assert office.ok("GET", f"{LETTERS}/{letter['id']}")["total"] == "180.00"
    office.refused("POST", f"{LETTERS}/{letter['id']}/charge", {}, status=409, code="invalid_transition")
    undone = office.ok("POST", f"{LETTERS}/{letter['id']}/undo", {"reason": "Too early"})
    assert amounts(undone, "status", "undoReason", "number") == ["undone", "Too early", "REM-2026-00001"]
    assert office.ok("GET", f"/finance/invoices/{first['id']}")["reminderLevel"] == 0
    office.refused("POST", f"{LETTERS}/{letter['id']}/undo", {"reason": "x"}, status=409, code="invalid_transition")
    assert make(office, "2026-03-10")["number"] == "REM-2026-00002"


def test_a_run_makes_all_letters_or_none(office):
    germany(office)
    people = [customer(office, name) for name in ("Acorn", "Birch")]
    items = [owed(office, "100.00", "2026-03-01", each) for each in people for _ in range(2)]
    letters = [{"contactId": each["id"], "currency": "EUR"} for each in people]
    open_items = {
        each["invoiceId"]: each["itemId"]
        for letter in proposal(office, "2026-03-10")["letters"]
        for each in letter["items"]
    }
    body = {"date": "2026-03-10", "letters": [letters[0], {**letters[1], "currency": "USD"}]}
    office.refused("POST", RUNS, body, status=409, code="not_due")
    assert office.ok("GET", LETTERS) == []
    office.refused("POST", RUNS, {**body, "send": True}, status=422)
    office.refused("POST", RUNS, {**body, "date": "2026-08-02"}, status=422)
    office.refused("POST", RUNS, {**body, "letters": [{**letters[0], "level": 5}, letters[0]]}, status=422)
    rehearsed = office.call("POST", RUNS, {"date": "2026-03-10", "letters": letters, "dryRun": True})
    assert (rehearsed.status_code, len(rehearsed.json["data"]["letters"])) == (200, 2)
    chosen = {**letters[0], "level": 2, "itemIds": [open_items[items[0]["id"]]]}
    made = office.ok("POST", RUNS, {"date": "2026-03-10", "letters": [chosen, letters[1]]})["letters"]
    assert [(each["number"], each["level"], len(each["items"])) for each in made] == [
        ("REM-2026-00001", 2, 1),
        ("REM-2026-00002", 1, 2),
    ]
    listed = office.ok("GET", LETTERS, params={"level": "2", "contactId": people[0]["id"], "chargesStatus": "none"})
    assert [each["number"] for each in listed] == ["REM-2026-00001"]
    for params in ({"q": items[0]["number"]}, {"invoiceId": items[0]["id"]}, {"q": "Acorn"}):
        assert [each["number"] for each in office.ok("GET", LETTERS, params=params)] == ["REM-2026-00001"]


def test_two_runs_at_once_make_one_letter(office):
    globex = customer(office)
    owed(office, "100.00", "2026-03-01", globex)
    body = {"date": "2026-03-10", "letters": [{"contactId": globex["id"], "currency": "EUR"}]}
    answers = []

    def run():
        answers.append(office.call("POST", RUNS, body).status_code)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [201, 409]


def test_charges_are_waived_or_invoiced_in_part_and_never_twice(office):
    firm(germany(office), fee="5.00")
    office.ok(
        "POST", LEVELS, {"name": "Last", "daysAfter": 10, "payWithinDays": 7, "fee": "8.00", "chargesLumpSum": True}
    )
    globex = customer(office)
    item = owed(office, "2700.00", "2026-04-20", globex)
    first, second = make(office, "2026-05-31"), make(office, "2026-06-10")
    assert amounts(second, "fee", "lumpSum", "interest", "charged", "total") == [
        *("8.00", "40.00", "0.00", "0.00", "2748.00")
    ]
    replaced = office.ok("GET", f"{LETTERS}/{first['id']}")
    assert (replaced["chargesStatus"], {"charge", "waive"} <= {*replaced["can"]}) == ("none", True)
    part = office.ok("POST", f"{LETTERS}/{first['id']}/charge", {"parts": ["fee"]})
    assert office.ok("GET", f"/finance/invoices/{part['chargeInvoiceId']}")["total"] == "5.00"
    payment(office, "2700.00", date="2026-06-11", invoiceId=item["id"])
    rest = office.ok("POST", f"{LETTERS}/{second['id']}/charge", {})
    charge = office.ok("GET", f"/finance/invoices/{rest['chargeInvoiceId']}")
    assert (charge["total"], charge["customerId"]) == ("43.00", globex["id"])
    office.refused("POST", f"{LETTERS}/{second['id']}/waive", {"reason": "x"}, status=409, code="already_charged")
    office.ok("POST", f"/finance/invoices/{charge['id']}/void", {})
    waived = office.ok("POST", f"{LETTERS}/{second['id']}/waive", {"reason": "Goodwill"})
    assert amounts(waived, "chargesStatus", "waiveReason", "can") == [
        "waived",
        "Goodwill",
        ["mark_sent", "send", "undo"],
    ]
    office.refused("POST", f"{LETTERS}/{second['id']}/charge", {}, status=409, code="invalid_transition")


def test_a_replaced_letter_cannot_be_charged_once_the_later_one_holds_all(office):
    firm(germany(office), fee="5.00")
    charging = {"fee": "8.00", "chargesInterest": True, "chargesLumpSum": True}
    office.ok("POST", LEVELS, {"name": "Last", "daysAfter": 10, "payWithinDays": 7, **charging})
    owed(office, "2700.00", "2026-04-20", customer(office))
    first, second = make(office, "2026-05-31"), make(office, "2026-06-10")
    (listed,) = office.ok("GET", LETTERS, params={"q": first["number"]})
    assert "charge" in listed["can"]
    office.ok("POST", f"{LETTERS}/{second['id']}/charge", {})
    (listed,) = office.ok("GET", LETTERS, params={"q": first["number"]})
    assert "charge" not in listed["can"]
    office.refused("POST", f"{LETTERS}/{first['id']}/charge", {}, status=409, code="already_charged")


def test_a_void_charge_is_asked_for_again_and_the_charges_after_it_stay_taken_off(office):
    """10.27 % of 10,000.00: 61.90 after 22 days, 115.36 after 41, 171.64 after 61; 53.46 of it stay invoiced."""
    firm(germany(office))
    for name in ("Second", "Last"):
        office.ok("POST", LEVELS, {"name": name, "daysAfter": 7, "payWithinDays": 7, "chargesInterest": True})
    office.ok("PATCH", f"{LEVELS}/{levels(office)[0]['id']}", {"chargesLumpSum": False})
    owed(office, "10000.00", "2026-02-10")
    letters = [make(office, day) for day in ("2026-03-04", "2026-03-23")]
    charged = [office.ok("POST", f"{LETTERS}/{each['id']}/charge", {})["chargeInvoiceId"] for each in letters]
    assert [office.ok("GET", f"/finance/invoices/{id}")["total"] for id in charged] == ["61.90", "53.46"]
    office.ok("POST", f"/finance/invoices/{charged[0]}/void", {})
    assert amounts(proposed(office, "2026-04-12"), "interest", "charged", "total") == ["171.64", "53.46", "10118.18"]
    assert problems(office) == []


def test_a_letter_is_marked_as_sent_and_printed_once(office):
    germany(office)
    globex = customer(office, language="de", address={"line1": "Am Tor 1", "city": "Ulm"})
    owed(office, "100.00", "2026-03-01", globex)
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"registerEntry": "HRB 4711"})
    office.ok("PATCH", "/workspace/texts/reminder_1/de", {"intro": "Noch offen: {open}."})
    letter = make(office, "2026-03-10")
    path = f"{LETTERS}/{letter['id']}"
    office.ok("DELETE", "/workspace/texts/reminder_1/de")
    printed = office.call("GET", f"{path}/pdf")
    assert printed.content.startswith(b"%PDF-1.7")
    text = "".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(printed.content)).pages)
    for said in ("Noch offen: 100,00 €.", "Bitte zahlen Sie 100,00 €", "Fällig am", "HRB 4711", "Zahlungserinnerung"):
        assert said in text
    again = office.call("GET", f"{path}/pdf")
    assert (again.content, again.headers["X-Content-SHA256"]) == (printed.content, printed.headers["X-Content-SHA256"])
    office.ok("POST", f"{path}/mark-sent", {"on": "2026-03-11"})
    assert len(office.ok("GET", LETTERS, params={"isSent": "true"})) == 1
    assert office.ok("POST", f"{path}/unmark-sent")["sentVia"] is None
    types = [event["type"] for event in office.ok("GET", "/workspace/events", params={"resourceId": letter["id"]})]
    assert {"reminder.made", "reminder.filed", "reminder.sent", "reminder.unsent"} <= set(types)
