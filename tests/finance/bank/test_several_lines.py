"""Matching the lines of an account together, and looking for what one may be."""

import pytest

from tests.finance.bank.january import camt, confirm, entry, lines, state, statement
from tests.finance.bank.test_month_w import _month
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice
from tests.refusals import complaint

PATH = "/finance/bank/lines/confirm"


@pytest.fixture
def january(acme, clock_at):
    """The worked month with its seven bank lines, none of them matched."""
    clock_at("2026-01-31T18:00:00Z")
    acme.once(_month)
    statement(acme)
    return acme


def together(office, account="1800", **fields):
    return office.ok("POST", PATH, {"accountId": account, **fields})


def candidates(office, line, **params):
    return office.ok("GET", f"/finance/bank/lines/{line['id']}/candidates", params=params)


def test_sure_lines_are_matched_together_and_the_rule_waits_for_an_eye(january):
    shown = lines(january)
    assert [line["suggestions"][0]["isSure"] for line in shown] == [True] * 6 + [False]
    tried = together(january, dryRun=True)
    assert (len(tried["confirmed"]), tried["dryRun"], len(lines(january, status="matched"))) == (6, True, 0)
    outcome = together(january)
    assert [each["because"] for each in outcome["confirmed"]] == [*["number_and_amount"] * 4, "discount", "run"]
    assert [(each["lineId"], each["code"]) for each in outcome["skipped"]] == [(shown[-1]["id"], "not_sure")]
    assert [line["status"] for line in lines(january)] == ["matched"] * 6 + ["unmatched"]
    assert state(january)["unmatchedLines"] == 1


def test_a_second_request_matches_nothing_twice(january):
    together(january)
    before = january.ok("GET", "/finance/payments")
    assert together(january)["confirmed"] == []
    assert january.ok("GET", "/finance/payments") == before


def test_without_only_sure_the_first_suggestion_counts(january):
    outcome = together(january, onlySure=False)
    assert (len(outcome["confirmed"]), outcome["skipped"]) == (7, [])
    assert state(january)["difference"] == "0.00"


def test_named_lines_alone_are_matched(january):
    _, second, *_ = lines(january)
    outcome = together(january, lineIds=[second["id"]])
    assert [each["lineId"] for each in outcome["confirmed"]] == [second["id"]]
    assert [line["id"] for line in lines(january, status="matched")] == [second["id"]]


def test_an_unknown_line_is_refused_by_its_place(january):
    body = {"accountId": "1800", "lineIds": [lines(january)[0]["id"], "nothing"]}
    assert complaint(january.refused("POST", PATH, body, status=422)) == ("lineIds[1]", "unknown_reference")


def test_two_lines_for_one_invoice_match_it_once(acme):
    made = invoice(acme, "100.00", issueDate="2026-03-01")
    one, two = entry("100.00", f"First {made['number']}"), entry("100.00", f"Second {made['number']}")
    statement(acme, camt(one, two, closing="300.00"), "1010")
    outcome = together(acme, "1010")
    assert len(outcome["confirmed"]) == 1
    (skipped,) = outcome["skipped"]
    assert acme.ok("GET", f"/finance/invoices/{made['id']}")["status"] == "paid"
    assert len(acme.ok("GET", "/finance/payments")) == 1
    assert skipped["message"].endswith(".")


def test_a_locked_day_skips_its_line_and_leaves_nothing_half_done(january):
    january.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-15", "reason": "Filed"})
    outcome = together(january)
    assert "period_locked" in {each["code"] for each in outcome["skipped"]}
    assert len(outcome["confirmed"]) + len(outcome["skipped"]) == 7
    assert len(outcome["confirmed"]) == len(lines(january, status="matched")) > 0
    assert january.ok("GET", "/workspace/events/verify")["isValid"]


def test_candidates_come_by_how_well_they_fit(acme):
    heron = customer(acme)["id"]
    made = [invoice(acme, f"{amount}.00", customerId=heron, issueDate="2026-03-01") for amount in (100, 70, 30)]
    statement(acme, camt(entry("100.00", made[0]["number"]), closing="200.00"), "1010")
    (line,) = lines(acme, "1010")
    found = candidates(acme, line)
    assert [(each["kind"], each["number"], each["open"], each["score"]) for each in found] == [
        ("item", made[0]["number"], "100.00", 100),
        ("item", made[1]["number"], "70.00", 0),
        ("item", made[2]["number"], "30.00", 0),
    ]
    assert (found[0]["isSure"], found[1]["isSure"], found[1]["reason"]) == (True, False, None)
    assert [each["open"] for each in candidates(acme, line, amountFrom="30.00", amountTo="99.99")] == ["70.00", "30.00"]
    assert [each["number"] for each in candidates(acme, line, q=made[2]["number"].lower())] == [made[2]["number"]]
    assert candidates(acme, line, contactId="nobody") == []
    parts = [
        {"itemId": each["itemId"], "amount": amount} for each, amount in zip(found, ("40.00", "60.00"), strict=False)
    ]
    assert confirm(acme, line, items=parts)["status"] == "matched"
    due = [acme.ok("GET", f"/finance/invoices/{each['id']}")["amountDue"] for each in made]
    assert due == ["60.00", "10.00", "30.00"]


def test_money_that_goes_out_has_other_candidates(acme):
    invoice(acme, "100.00", issueDate="2026-03-01")
    statement(acme, camt(entry("-100.00", "Rent"), closing="0.00"), "1010")
    (line,) = lines(acme, "1010")
    assert candidates(acme, line) == []
