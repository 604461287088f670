"""Revaluation: what is open and held in foreign currencies at the worth of a day, taken back the next day."""

import pytest

from erp.store import recorded, router
from erp.store.router import WORKSPACE
from erp.system.checks import files as checking
from tests.crowds import all_at_once
from tests.events import last_event
from tests.finance.books.balances import balances, trial_balance
from tests.finance.books.test_foreign_accounts import DOLLARS, move
from tests.finance.documents.invoices import bill, invoice, status_and_due
from tests.finance.journals.journals import posted
from tests.finance.payments.payments import payment
from tests.finance.soundness import problems
from tests.refusals import complaint
from tests.system.checks.offices import tamper

REVALUATIONS = "/finance/revaluations"
AT_95 = [{"currency": "USD", "rate": "0.95"}]


@pytest.fixture(autouse=True)
def _in_february(clock_at):
    clock_at("2026-02-10T09:00:00Z")


@pytest.fixture
def r3(acme):
    """Pacific owes 1,000.00 USD at 0.92."""
    dollars = {"currency": "USD", "exchangeRate": "0.92", "issueDate": "2026-01-22", "dueDate": "2026-02-21"}
    return invoice(acme, "1000.00", customer={"name": "Pacific"}, **dollars)


def revalue(office, day="2026-01-31", rates=AT_95, **fields):
    return office.ok("POST", REVALUATIONS, {"date": day, "rates": rates, **fields})


def on(office, day):
    return {code: f"{amount:.2f}" for code, amount in trial_balance(office, day).items()}


def item_on(office, document, day):
    """What is open of a document on a day: in its currency, in the account, and of that what is revaluation."""
    items = office.ok("GET", "/finance/open-items", params={"asOf": day})
    (item,) = [item for item in items if item["documentId"] == document["id"]]
    return item["open"], item["openBase"], item["revaluation"]


def test_the_open_item_of_the_day_is_what_the_account_holds(acme, r3):
    debt = bill(acme, "100.00", currency="USD", exchangeRate="0.90", issueDate="2026-01-20")
    revalue(acme)
    assert item_on(acme, r3, "2026-01-30") == ("1000.00", "920.00", "0.00")
    assert item_on(acme, r3, "2026-01-31") == ("1000.00", "950.00", "30.00")
    assert item_on(acme, debt, "2026-01-31") == ("-100.00", "-95.00", "-5.00")
    assert item_on(acme, r3, "2026-02-01") == ("1000.00", "920.00", "0.00")
    (now, _) = acme.ok("GET", "/finance/open-items", params={"sort": "-number"})
    assert (now["openBase"], now["revaluation"]) == ("920.00", "0.00")
    for day in ("2026-01-30", "2026-01-31", "2026-02-01"):
        items = acme.ok("GET", "/finance/open-items", params={"asOf": day, "contactId": r3["customerId"]})
        assert [item["openBase"] for item in items] == [on(acme, day)["1100"]]


def test_an_item_that_is_settled_later_as_of_the_day_still_shows_its_revaluation(acme, r3):
    revalue(acme)
    paid = {"invoiceId": r3["id"], "date": "2026-01-31", "exchangeRate": "0.95"}
    payment(acme, "1000.00", **paid)
    assert item_on(acme, r3, "2026-01-31") == ("0.00", "30.00", "30.00")
    assert on(acme, "2026-01-31")["1100"] == "30.00"
    assert acme.ok("GET", "/finance/open-items", params={"asOf": "2026-02-01"}) == []
    assert problems(acme) == []


def test_a_void_revaluation_is_not_part_of_open_items(acme, r3):
    made = revalue(acme)
    acme.ok("POST", f"{REVALUATIONS}/{made['id']}/void", {"reason": "Wrong rate"})
    assert item_on(acme, r3, "2026-01-31") == ("1000.00", "920.00", "0.00")


def test_a_check_finds_a_revaluation_that_belongs_to_no_item(acme, r3):
    """Another program has doubled the difference of the item, and left the entry as it was."""
    revalue(acme)
    assert problems(acme) == []
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    tamper(path, "UPDATE revaluation SET lines = replace(lines, '\"difference\":3000', '\"difference\":6000')")
    expected = "What is open of Pacific on account 1100 is not what is posted of them on 2026-01-31."
    assert expected in checking.workspace_file(path, nobody_writes=True).problems


def test_a_receivable_in_dollars_is_worth_more_on_the_day_and_as_before_on_the_next(acme, r3):
    """AC-22: R3 over 1,000.00 USD at 0.92 is worth 30.00 more at 0.95 on 01-31, and not on 02-01."""
    made = revalue(acme)
    assert (made["number"], made["status"], made["date"]) == ("REV-2026-001", "posted", "2026-01-31")
    assert (made["gains"], made["losses"], made["reversedOn"]) == ("30.00", "0.00", "2026-02-01")
    (line,) = made["lines"]
    shown = [line[name] for name in ("accountCode", "number", "amount", "bookValue", "value", "difference")]
    assert shown == ["1100", r3["number"], "1000.00", "920.00", "950.00", "30.00"]
    assert made["rates"] == [{"currency": "USD", "rate": "0.95"}]
    assert posted(acme, made["journalEntryId"]) == {"1100": 3_000, "4930": -3_000}
    assert posted(acme, made["reversalEntryId"]) == {"1100": -3_000, "4930": 3_000}
    assert on(acme, "2026-01-30")["1100"] == "920.00"
    assert on(acme, "2026-01-31") == {"1100": "950.00", "4000": "-920.00", "4930": "-30.00"}
    assert on(acme, "2026-02-01")["1100"] == "920.00"
    assert balances(acme) == {"1100": 92_000, "4000": -92_000}
    type, data = last_event(acme)
    assert (type, data["number"], data["gains"]) == ("revaluation.posted", "REV-2026-001", "30.00")
    assert acme.ok("GET", f"{REVALUATIONS}/{made['id']}") == made
    assert acme.ok("GET", REVALUATIONS, params={"dateFrom": "2026-01-31", "dateTo": "2026-01-31"}) == [made]
    assert acme.ok("GET", REVALUATIONS, params={"status": "void"}) == []
    assert problems(acme) == []


def test_settling_and_statements_keep_the_worth_of_their_documents(acme, r3):
    path = f"/finance/contacts/{r3['customerId']}/statement"
    period = {"dateFrom": "2026-01-01", "dateTo": "2026-02-28"}
    statement = acme.ok("GET", path, params=period)
    revalue(acme)
    assert acme.ok("GET", path, params=period) == statement
    paid = payment(acme, "1000.00", invoiceId=r3["id"], exchangeRate="0.94", date="2026-02-05")
    assert paid["allocations"][0]["exchangeDifference"] == "20.00"
    assert status_and_due(acme, r3["id"]) == ("paid", "0.00")
    assert balances(acme) == {"1010": 94_000, "4000": -92_000, "4920": -2_000}
    assert problems(acme) == []


def test_debts_and_bank_accounts_are_revalued_too(acme, r3):
    """A bill of 500.00 USD at 0.90 costs 25.00 more; the bank's 1,000.00 USD, in the books at 960.00, lose 10.00."""
    acme.ok("POST", "/finance/accounts", DOLLARS)
    move(acme, "1000.00", "960.00", day="2026-01-10", debit="1020", credit="3000")
    bill(acme, "500.00", currency="USD", exchangeRate="0.90", issueDate="2026-01-12")
    made = revalue(acme)
    assert (made["gains"], made["losses"]) == ("30.00", "35.00")
    by_account = {"1020": -1_000, "1100": 3_000, "2000": -2_500, "4930": -3_000, "6920": 3_500}
    assert posted(acme, made["journalEntryId"]) == by_account
    assert {line["number"]: line["difference"] for line in made["lines"]} == {
        r3["number"]: "30.00",
        "BILL-2026-00001": "-25.00",
        "1020": "-10.00",
    }
    assert problems(acme) == []


def test_what_is_paid_by_the_day_is_not_revalued_and_what_is_paid_later_is(acme, r3):
    payment(acme, "400.00", invoiceId=r3["id"], exchangeRate="0.92", date="2026-01-31")
    payment(acme, "600.00", invoiceId=r3["id"], exchangeRate="0.92", date="2026-02-01")
    (line,) = revalue(acme)["lines"]
    assert (line["amount"], line["bookValue"], line["difference"]) == ("600.00", "552.00", "18.00")
    assert revalue(acme, "2026-02-01")["lines"] == []
    assert problems(acme) == []


def test_without_rates_those_of_the_day_are_taken(acme, r3):
    acme.ok("POST", "/finance/exchange-rates", {"currency": "USD", "date": "2026-01-30", "rate": "0.95"})
    made = acme.ok("POST", REVALUATIONS, {"date": "2026-01-31"})
    assert (made["rates"], made["gains"]) == (AT_95, "30.00")


def test_a_dry_run_posts_nothing(acme, r3):
    answer = acme.call("POST", REVALUATIONS, {"date": "2026-01-31", "rates": AT_95, "dryRun": True})
    shown = answer.json["data"]
    assert answer.status_code == 200
    assert shown.keys() == {"date", "gains", "lines", "losses", "rates", "reversedOn"}
    assert (shown["gains"], shown["losses"], shown["reversedOn"]) == ("30.00", "0.00", "2026-02-01")
    assert acme.ok("GET", REVALUATIONS) == []
    assert balances(acme) == {"1100": 92_000, "4000": -92_000}
    assert revalue(acme)["number"] == "REV-2026-001"


def test_a_void_revaluation_leaves_no_trace_on_either_day_and_its_day_can_be_revalued_again(acme, r3):
    made = revalue(acme)
    gone = acme.ok("POST", f"{REVALUATIONS}/{made['id']}/void", {"reason": "Wrong rate"})
    assert (gone["status"], gone["voidReason"], gone["can"], made["can"]) == ("void", "Wrong rate", [], ["void"])
    assert [on(acme, day)["1100"] for day in ("2026-01-31", "2026-02-01")] == ["920.00"] * 2
    acme.refused("POST", f"{REVALUATIONS}/{made['id']}/void", {}, status=409, code="invalid_transition")
    assert problems(acme) == []
    again = revalue(acme, rates=[{"currency": "USD", "rate": "0.90"}])
    assert (again["number"], again["losses"]) == ("REV-2026-002", "20.00")
    assert on(acme, "2026-01-31") == {"1100": "900.00", "4000": "-920.00", "6920": "20.00"}
    error = acme.refused("POST", f"/finance/journals/{again['reversalEntryId']}/reverse", {}, status=409)
    assert error["message"] == "This entry belongs to revaluation REV-2026-002. Void the revaluation instead."
    assert problems(acme) == []


def test_a_day_is_revalued_once_by_all_who_try(acme, r3, monkeypatch):
    monkeypatch.setattr(router, "LOCK_SECONDS", 120)
    _, statuses = all_at_once(acme, [(REVALUATIONS, {"date": "2026-01-31", "rates": AT_95})] * 16)
    assert statuses == {201: 1, 409: 15}
    error = acme.refused("POST", REVALUATIONS, {"date": "2026-01-31", "rates": AT_95}, status=409)
    assert error["message"] == "REV-2026-001 has already revalued 31 Jan 2026. Void REV-2026-001 first."
    assert on(acme, "2026-01-31")["1100"] == "950.00"


def test_a_locked_period_refuses_a_revaluation_and_its_void(acme, r3):
    made = revalue(acme, "2026-01-30")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Tax return"})
    body = {"date": "2026-01-31", "rates": AT_95}
    acme.refused("POST", REVALUATIONS, body, status=409, code="period_locked")
    acme.refused("POST", f"{REVALUATIONS}/{made['id']}/void", {}, status=409, code="period_locked")
    assert revalue(acme, "2026-02-01")["gains"] == "30.00"


@pytest.mark.parametrize(
    ("rates", "field", "code"),
    [
        ([], "rates", "required"),
        ([{"currency": "CHF", "rate": "1.1"}], "rates", "required"),
        ([*AT_95, *AT_95], "rates[1].currency", "repeated"),
        ([*AT_95, {"currency": "EUR", "rate": "1"}], "rates[1].currency", "base_currency"),
        ([*AT_95, {"currency": "XXQ", "rate": "1"}], "rates[1].currency", "unknown_currency"),
    ],
)
def test_rates_that_are_wrong_or_missing_are_refused(acme, r3, rates, field, code):
    error = acme.refused("POST", REVALUATIONS, {"date": "2026-01-31", "rates": rates}, status=422)
    assert complaint(error) == (field, code)
    assert acme.ok("GET", REVALUATIONS) == []


def test_an_older_workspace_posts_to_its_account_of_exchange_differences(acme, r3):
    with acme.books(write=True):
        for key in ("unrealised_exchange_gains", "unrealised_exchange_losses"):
            WORKSPACE.run("DELETE FROM default_account WHERE key = ?", (key,))
            recorded.note_removed("default_account", key)
    assert posted(acme, revalue(acme)["journalEntryId"]) == {"1100": 3_000, "4900": -3_000}
