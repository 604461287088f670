"""Journal entries posted by hand: what is accepted, what is refused, and how an entry is corrected."""

import json

import pytest

from erp.finance.books import ledger
from erp.finance.books.models import Account, JournalEntry, Posting
from erp.store import events, workspace_settings
from tests.conftest import HOST, Installation
from tests.documented import PREFIX
from tests.finance.books.balances import trial_balance
from tests.finance.contacts.contacts import customer
from tests.finance.journals.journals import entry, new_entry
from tests.refusals import complaint_pairs

JOURNALS = "/finance/journals"


def nothing_is_posted(office):
    with office.books():
        return not JournalEntry.select().exists() and not Posting.select().exists()


def test_an_entry_is_posted_at_once_and_shown_with_its_lines(acme):
    answer = acme.call("POST", JOURNALS, new_entry("1250.50", reference="R-1"))
    assert answer.status_code == 201
    posted = answer.json["data"]
    assert answer.headers["location"].endswith(f"{JOURNALS}/{posted['id']}")
    assert (posted["number"], posted["kind"], posted["status"]) == ("JE-2026-00001", "manual", "posted")
    assert (posted["total"], posted["reference"], posted["source"]) == ("1250.50", "R-1", None)
    assert [(line["accountCode"], line["debit"], line["credit"]) for line in posted["lines"]] == [
        ("1010", "1250.50", None),
        ("3000", None, "1250.50"),
    ]
    assert acme.ok("GET", f"{JOURNALS}/{posted['id']}") == posted
    with acme.books():
        assert sorted(leg.amount for leg in Posting.select()) == [-125_050, 125_050]


def test_accounts_are_given_by_id_or_by_code(acme):
    with acme.books():
        ids = {account.code: account.id for account in Account.select()}
    posted = entry(acme, debit=ids["1000"], credit=ids["3000"])
    assert [line["accountId"] for line in posted["lines"]] == [ids["1000"], ids["3000"]]


def test_the_entry_is_in_the_log_with_its_hash(acme):
    posted = entry(acme)
    with acme.books():
        logged = events.Event.select().where(events.Event.resource_id == posted["id"]).get()
        assert logged.type == "journal_entry.posted"
        data = json.loads(logged.data)
        assert data["entries"] == [{"id": posted["id"], "hash": ledger.entry_hash(posted["id"])}]


def test_the_refusal_of_an_unbalanced_entry_says_by_how_much(acme):
    body = new_entry()
    body["lines"][1]["credit"] = "98.50"
    error = acme.refused("POST", JOURNALS, body, status=422, code="unbalanced_entry")
    assert "1.50" in error["message"]
    assert nothing_is_posted(acme)


def test_every_wrong_line_is_named_at_once(acme):
    body = {
        "date": "2026-01-15",
        "description": "All wrong",
        "lines": [
            {"accountId": "1010", "debit": "1", "credit": "1"},
            {"accountId": "1010"},
            {"accountId": "nowhere", "debit": "1"},
            {"accountId": "1100", "debit": "1"},
            {"accountId": "1100", "debit": "1", "contactId": "nobody"},
            {"accountId": "1010", "debit": "1.005"},
            {"accountId": "1010", "credit": "1", "currency": "EUR", "foreignAmount": "1"},
            {"accountId": "1010", "credit": "1", "currency": "USD"},
            {"accountId": "1010", "credit": "1", "foreignAmount": "1"},
            {"accountId": "1010", "credit": "1", "currency": "ZZZ", "foreignAmount": "1"},
            {"accountId": "1010", "credit": "1", "currency": "JPY", "foreignAmount": "1.5"},
            {"accountId": "1010", "credit": "1", "projectId": "none"},
            {"accountId": "1010", "credit": "99999999999999999"},
        ],
    }
    assert complaint_pairs(acme.refused("POST", JOURNALS, body, status=422, code="validation_failed")) == {
        ("lines[0].credit", "one_side"),
        ("lines[1].debit", "required"),
        ("lines[2].accountId", "unknown_reference"),
        ("lines[3].contactId", "required"),
        ("lines[4].contactId", "unknown_reference"),
        ("lines[5].debit", "too_many_decimals"),
        ("lines[6].currency", "base_currency"),
        ("lines[7].foreignAmount", "required"),
        ("lines[8].currency", "required"),
        ("lines[9].currency", "unknown_currency"),
        ("lines[10].foreignAmount", "too_many_decimals"),
        ("lines[11].projectId", "unknown_reference"),
        ("lines[12].credit", "out_of_range"),
    }
    assert nothing_is_posted(acme)


def test_nothing_is_posted_to_groups_and_archived_accounts(acme):
    group = {"code": "1", "name": "All assets", "type": "asset", "subtype": "other_asset", "isGroup": True}
    acme.ok("POST", "/finance/accounts", group)
    cash = next(account for account in acme.ok("GET", "/finance/accounts") if account["code"] == "1000")
    acme.ok("POST", f"/finance/accounts/{cash['id']}/archive")
    error = acme.refused("POST", JOURNALS, new_entry(debit="1", credit="1000"), status=422)
    assert complaint_pairs(error) == {
        ("lines[0].accountId", "account_closed"),
        ("lines[1].accountId", "account_closed"),
    }


def test_a_foreign_amount_takes_the_side_of_its_line(acme):
    body = new_entry("90.00")
    for line in body["lines"]:
        line |= {"currency": "USD", "foreignAmount": "100"}
    posted = acme.ok("POST", JOURNALS, body)
    assert [(line["currency"], line["foreignAmount"]) for line in posted["lines"]] == [("USD", "100.00")] * 2
    with acme.books():
        assert [leg.foreign_amount for leg in Posting.select().order_by(Posting.line)] == [10_000, -10_000]


def test_an_account_in_a_foreign_currency_needs_the_amount_in_it(acme):
    dollars = {"code": "1011", "name": "Dollars", "type": "asset", "subtype": "bank", "currency": "USD"}
    acme.ok("POST", "/finance/accounts", dollars)
    body = new_entry("90.00", debit="1011")
    error = acme.refused("POST", JOURNALS, body, status=422)
    assert complaint_pairs(error) == {("lines[0].currency", "wrong_currency")}
    body["lines"][0] |= {"currency": "GBP", "foreignAmount": "80"}
    acme.refused("POST", JOURNALS, body, status=422)
    body["lines"][0] |= {"currency": "USD", "foreignAmount": "100"}
    assert acme.ok("POST", JOURNALS, body)["lines"][0]["foreignAmount"] == "100.00"


MONEY = [
    ('"1.005"', 422),
    ('"1.000"', 422),
    ("1.005", 422),
    ("true", 422),
    ('"-0"', 422),
    ("-0", 422),
    ('"0.00"', 422),
    ('"-5.00"', 422),
    ('"- 5.00"', 422),
    ('"5. 00"', 422),
    ('"5 00"', 422),
    ('""', 422),
    ('"+5"', 422),
    ('"05"', 422),
    ('"5."', 422),
    ('"1e2"', 422),
    ('"1_000"', 422),
    ('"1,000.00"', 422),
    ('"NaN"', 422),
    ('"Infinity"', 422),
    ('"٥"', 422),
    ('"5"', 201),
    ('"1' + "0" * 30 + '"', 422),
    ("1" + "0" * 30, 422),
    ("1e400", 422),
    ("1e-400", 422),
    ('"100000000000000.00"', 422),
    ("[5]", 422),
    ('{"amount": "5"}', 422),
    ("NaN", 400),
    ("Infinity", 400),
    ("-Infinity", 400),
    ("5.00", 201),
    ("5e0", 201),
]


@pytest.fixture(scope="module")
def counter(tmp_path_factory):
    """An office that posts many small amounts, one after the other."""
    return Installation(tmp_path_factory.mktemp("counter")).office("Olga")


@pytest.mark.parametrize(("amount", "status"), MONEY)
def test_money_is_read_exactly_or_not_at_all(counter, amount, status):
    raw = json.dumps(new_entry("AMOUNT")).replace('"AMOUNT"', amount)
    headers = {"Authorization": f"Bearer {counter.token}", "Content-Type": "application/json"}
    before = trial_balance(counter)
    client = counter.installation.client
    answer = client.simulate_post(PREFIX + JOURNALS, body=raw, headers=headers, **HOST)
    assert answer.status_code == status, answer.text
    after = trial_balance(counter)
    assert after.get("1010", 0) - before.get("1010", 0) == (5 if status == 201 else 0)


@pytest.mark.parametrize("count", [0, 1, 1001])
def test_an_entry_has_two_to_a_thousand_lines(acme, count):
    body = new_entry()
    body["lines"] = [{"accountId": "1010", "debit": "1"}] * count
    error = acme.refused("POST", JOURNALS, body, status=422, code="validation_failed")
    assert error["details"][0]["field"] == "lines"


def test_an_entry_of_a_thousand_lines_is_posted(acme):
    body = new_entry()
    body["lines"] = [{"accountId": "1010", "debit": "1"}, {"accountId": "3000", "credit": "1"}] * 500
    assert acme.ok("POST", JOURNALS, body)["total"] == "500.00"


@pytest.mark.parametrize("day", ["2026-02-30", "2026-1-5", "20260105", "yesterday", "0000-01-01", 5, None])
def test_an_invalid_date_is_refused(acme, day):
    error = acme.refused("POST", JOURNALS, new_entry(day=day), status=422)
    assert error["details"][0]["field"] == "date"


def test_an_amount_in_yen_has_no_decimals(installation):
    tokyo = installation.office("Yuki", baseCurrency="JPY")
    error = tokyo.refused("POST", JOURNALS, new_entry("100.0"), status=422)
    assert "no decimals" in error["details"][0]["message"]
    assert entry(tokyo, "100")["total"] == "100"


def test_a_reversal_exchanges_debit_and_credit_and_both_entries_name_each_other(acme, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    body = new_entry("75.00", debit="1100")
    body["lines"][0] |= {"contactId": customer(acme)["id"], "currency": "USD", "foreignAmount": "80"}
    original = acme.ok("POST", JOURNALS, body)
    mirror = acme.ok("POST", f"{JOURNALS}/{original['id']}/reverse", {"reason": "Posted twice"})
    assert (mirror["kind"], mirror["date"]) == ("reversal", "2026-03-01")
    text = f"Reversal of {original['number']} of {original['date']}, {original['description']}"
    assert mirror["description"] == f"{text}. Posted twice"
    assert mirror["reversesId"] == original["id"]
    seen = acme.ok("GET", f"{JOURNALS}/{original['id']}")
    assert (seen["status"], seen["reversedById"], seen["version"]) == ("reversed", mirror["id"], 2)
    swapped = [{**line, "debit": line["credit"], "credit": line["debit"]} for line in original["lines"]]
    assert mirror["lines"] == swapped
    assert trial_balance(acme) == {}
    assert trial_balance(acme, "2026-02-28") != {}


def test_an_entry_is_reversed_once_and_a_reversal_is_never_reversed(acme):
    original = entry(acme)
    mirror = acme.ok("POST", f"{JOURNALS}/{original['id']}/reverse", {})
    assert mirror["description"] == "Reversal of JE-2026-00001 of 2026-01-15, Capital paid in"
    for body in ({}, {"date": "2025-12-31"}):
        acme.refused("POST", f"{JOURNALS}/{original['id']}/reverse", body, status=409, code="already_reversed")
    acme.refused("POST", f"{JOURNALS}/{mirror['id']}/reverse", {}, status=409, code="reversal_stays")


def test_a_reversal_is_not_dated_before_its_entry(acme, clock_at):
    clock_at("2026-03-01T09:00:00Z")
    original = entry(acme, day="2026-04-10", allowFuture=True)
    path = f"{JOURNALS}/{original['id']}/reverse"
    early = {"date": "2026-04-09", "allowFuture": True}
    acme.refused("POST", path, early, status=422, code="dated_too_early")
    assert acme.ok("POST", path, {})["date"] == "2026-04-10", "today would be too early"


def test_a_refused_reversal_names_the_document_to_void(acme):
    line = {"description": "Work", "quantity": "1", "unitPrice": "10.00", "taxRateId": None}
    invoice = acme.ok("POST", "/finance/invoices", {"customer": {"name": "Initech"}, "lines": [line]})
    path = f"{JOURNALS}/{invoice['journalEntryId']}"
    assert acme.ok("GET", path)["source"] == {"type": "invoice", "id": invoice["id"]}
    error = acme.refused("POST", f"{path}/reverse", {}, status=409, code="not_reversible")
    assert f"invoice {invoice['number']}" in error["message"]
    payment = acme.ok("POST", "/finance/payments", {"invoiceId": invoice["id"], "amount": "10.00"})
    path = f"{JOURNALS}/{payment['journalEntryId']}/reverse"
    assert f"payment {payment['number']}" in acme.refused("POST", path, {}, status=409)["message"]


def test_a_refused_reversal_of_an_exchange_difference_names_the_payment_and_the_invoice(acme):
    line = {"description": "Work", "quantity": "1", "unitPrice": "10.00", "taxRateId": None}
    dollars = {"currency": "USD", "exchangeRate": "0.8"}
    invoice = acme.ok("POST", "/finance/invoices", {"customer": {"name": "Initech"}, "lines": [line], **dollars})
    paid = {"invoiceId": invoice["id"], "amount": "10.00", "exchangeRate": "0.9"}
    payment = acme.ok("POST", "/finance/payments", paid)
    (difference,) = acme.ok("GET", JOURNALS, params={"kind": "exchange_difference"})
    error = acme.refused("POST", f"{JOURNALS}/{difference['id']}/reverse", {}, status=409, code="not_reversible")
    assert f"the allocation of {payment['number']} to {invoice['number']}. Remove the allocation" in error["message"]


@pytest.mark.parametrize("field", ["accountId", "contactId", "projectId"])
def test_a_single_unknown_reference_has_its_own_code(acme, field):
    body = new_entry()
    body["lines"][0] |= {field: "none"}
    error = acme.refused("POST", JOURNALS, body, status=422, code="unknown_reference")
    assert error["details"][0]["field"] == f"lines[0].{field}"


def test_the_refusal_of_a_locked_day_names_its_field(acme, clock_at):
    clock_at("2026-04-01T09:00:00Z")
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    error = acme.refused("POST", JOURNALS, new_entry(day="2026-01-31"), status=409, code="period_locked")
    assert [fault["field"] for fault in error["details"]] == ["date"]


def test_a_stale_if_match_reverses_nothing(acme):
    original = entry(acme)
    path = f"{JOURNALS}/{original['id']}/reverse"
    acme.refused("POST", path, {}, status=412, code="version_mismatch", headers={"If-Match": '"2"'})
    acme.ok("POST", path, {}, headers={"If-Match": '"1"'})


def test_an_unknown_entry_is_not_found(acme, stranger):
    foreign = entry(stranger)
    acme.refused("GET", f"{JOURNALS}/{foreign['id']}", status=404)
    acme.refused("POST", f"{JOURNALS}/{foreign['id']}/reverse", {}, status=404)


def test_an_account_of_another_workspace_is_unknown(acme, stranger):
    with stranger.books():
        account = Account.get(Account.code == "1010")
    error = acme.refused("POST", JOURNALS, new_entry(debit=account.id), status=422)
    assert complaint_pairs(error) == {("lines[0].accountId", "unknown_reference")}


def test_the_list_has_no_lines_comes_newest_first_and_is_filtered(acme):
    known = customer(acme)["id"]
    body = new_entry("1.00", day="2026-01-10", debit="1100", reference="Alpha")
    body["lines"][0]["contactId"] = known
    first = acme.ok("POST", JOURNALS, body)
    second = entry(acme, "2.00", day="2026-01-20", description="Beta")
    third = acme.ok("POST", f"{JOURNALS}/{first['id']}/reverse", {"date": "2026-01-15"})

    def ids(**params):
        return [row["id"] for row in acme.ok("GET", JOURNALS, params=params)]

    assert ids() == [third["id"], second["id"], first["id"]]
    assert "lines" not in acme.ok("GET", JOURNALS)[0]
    assert ids(sort="date") == [first["id"], third["id"], second["id"]]
    assert ids(sort="-number", limit=2) == [third["id"], second["id"]]
    assert ids(kind="reversal") == [third["id"]]
    assert ids(contactId=known) == [third["id"], first["id"]]
    with acme.books():
        bank = Account.get(Account.code == "1010").id
    assert ids(accountId=bank) == [second["id"]]
    assert ids(dateFrom="2026-01-15", dateTo="2026-01-15") == [third["id"]]
    assert ids(q="alpha") == [third["id"], first["id"]]
    assert ids(q="beta") == [second["id"]]
    assert ids(q=second["number"]) == [second["id"]]
    assert ids(q="100%") == []
    assert ids(sourceType="invoice") == []


def test_numbers_are_sorted_as_numbers(acme):
    with acme.books(write=True):
        current = workspace_settings.current()
        current.change(number_formats={**current.number_formats, "journal": "JE-{year}-{seq}"})
    for _ in range(11):
        entry(acme)
    shown = [row["number"] for row in acme.ok("GET", JOURNALS, params={"sort": "number"})]
    assert shown == [f"JE-2026-{seq}" for seq in range(1, 12)]


def test_numbers_count_in_the_fiscal_year_of_the_date(installation):
    office = installation.office("Fay", fiscalYearStart="04-01")
    days = ("2026-03-31", "2026-04-01", "2026-01-01")
    numbers = [entry(office, day=day)["number"] for day in days]
    assert numbers == ["JE-2026-00001", "JE-2027-00001", "JE-2026-00002"]


def test_a_viewer_reads_entries_and_posts_none(acme):
    posted = entry(acme)
    viewer = acme.colleague("viewer")
    assert viewer.ok("GET", f"{JOURNALS}/{posted['id']}")["id"] == posted["id"]
    viewer.refused("POST", JOURNALS, new_entry(), status=403)
    viewer.refused("POST", f"{JOURNALS}/{posted['id']}/reverse", {}, status=403)
    acme.colleague("hr").refused("GET", JOURNALS, status=403)


def test_a_repeated_key_posts_once(acme):
    first = acme.call("POST", JOURNALS, new_entry(), headers={"Idempotency-Key": "k1"})
    again = acme.call("POST", JOURNALS, new_entry(), headers={"Idempotency-Key": "k1"})
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert len(acme.ok("GET", JOURNALS)) == 1


def test_a_list_shows_the_lines_of_its_entries_on_request(acme):
    made = entry(acme)
    assert "lines" not in acme.ok("GET", JOURNALS)[0]
    (shown,) = acme.ok("GET", JOURNALS, params={"include": "lines"})
    assert shown["lines"] == made["lines"]
    assert [each["accountCode"] for each in shown["lines"]] == ["1010", "3000"]
