import csv
import datetime
import io

import pytest

from erp.finance.books import accounts, ledger
from erp.finance.books.bodies import AccountChange, NewAccount
from erp.finance.books.ledger import Leg
from erp.finance.books.models import Account
from erp.kernel.errors import Invalid, UnknownReference
from erp.store.events import Event
from tests.events import events_of
from tests.refusals import complaint, refuse_every_change, refuse_stale_changes

SAVINGS = {"code": "1020", "name": "Savings", "type": "asset", "subtype": "bank"}
MARCH = datetime.date(2026, 3, 31)


@pytest.fixture(autouse=True)
def _in_april(clock_at):
    clock_at("2026-04-10T09:00:00Z")


def chart(office, **params):
    return office.ok("GET", "/finance/accounts", params=params)


def account(office, code):
    (view,) = [view for view in chart(office) if view["code"] == code]
    return view


def post(office, debit, credit, amount, day=MARCH):
    """Post an amount in minor units from one account, by code, to another."""
    with office.books(write=True):
        ids = {code: accounts.refer(code, "accountId").id for code in (debit, credit)}
        ledger.post(day, "Test", [Leg(ids[debit], amount), Leg(ids[credit], -amount)], kind="manual")


def group(office, code, parent=None, **fields):
    body = {"code": code, "name": f"Group {code}", "type": "asset", "subtype": "current_asset", "isGroup": True}
    return office.ok("POST", "/finance/accounts", {**body, "parentId": parent, **fields})


def test_a_new_office_has_the_whole_standard_chart_by_code(acme):
    codes = [view["code"] for view in chart(acme)]
    assert codes == sorted(codes)
    assert {"1000", "1100", "2000", "4000", "6900"} <= set(codes)
    bank = account(acme, "1010")
    assert (bank["systemKey"], bank["normalBalance"], bank["balance"]) == ("bank", "debit", "0.00")
    assert account(acme, "1000")["systemKey"] is None
    assert account(acme, "2200")["normalBalance"] == "credit"


def test_balances_are_positive_on_the_normal_side(acme):
    post(acme, "1010", "4000", 12_345)
    post(acme, "3100", "1010", 1_000)
    assert account(acme, "1010")["balance"] == "113.45"
    assert account(acme, "4000")["balance"] == "123.45"
    assert account(acme, "3100")["balance"] == "-10.00"


def test_the_chart_can_be_seen_as_of_an_earlier_day(acme):
    post(acme, "1010", "4000", 1_000, datetime.date(2026, 3, 10))
    post(acme, "1010", "4000", 500, datetime.date(2026, 3, 11))
    charts = {day: chart(acme, date=day, subtype="bank") for day in ("2026-03-09", "2026-03-10", "2026-03-31")}
    assert [bank["balance"] for (bank,) in charts.values()] == ["0.00", "10.00", "15.00"]


def test_the_chart_is_filtered_by_type_and_subtype(acme):
    assert {view["type"] for view in chart(acme, type="income")} == {"income"}
    assert [view["code"] for view in chart(acme, subtype="receivable")] == ["1100", "1150"]
    acme.refused("GET", "/finance/accounts", status=400, code="bad_parameter", params={"subtype": "money"})


def test_a_group_shows_the_sum_of_all_accounts_below_it(acme):
    outer = group(acme, "10")
    inner = group(acme, "10-1", outer["code"])
    for code in ("1000", "1010"):
        acme.ok("PATCH", f"/finance/accounts/{account(acme, code)['id']}", {"parentId": inner["id"]})
    post(acme, "1010", "4000", 700)
    post(acme, "1000", "4000", 300)
    assert account(acme, "10")["balance"] == account(acme, "10-1")["balance"] == "10.00"
    (top,) = [view for view in chart(acme, tree="true", type="asset") if view["isGroup"]]
    assert [view["code"] for view in top["children"]] == ["10-1"]
    assert [view["code"] for view in top["children"][0]["children"]] == ["1000", "1010"]
    assert "children" not in account(acme, "10")


def test_in_a_tree_an_account_without_its_group_is_at_the_top(acme):
    acme.ok("PATCH", f"/finance/accounts/{account(acme, '1010')['id']}", {"parentId": group(acme, "10")["id"]})
    assert [view["code"] for view in chart(acme, tree="true", subtype="bank")] == ["1010"]


def test_the_chart_opens_in_a_spreadsheet(acme):
    answer = acme.call("GET", "/finance/accounts", params={"format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["code"] for row in rows] == [view["code"] for view in chart(acme)]
    assert rows[0]["balance"] == "0.00"


def test_an_account_is_added_to_the_chart(acme):
    answer = acme.call("POST", "/finance/accounts", SAVINGS)
    made = answer.json["data"]
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/api/v1/finance/accounts/{made['id']}"
    assert (made["code"], made["currency"], made["isGroup"], made["createdByUserId"]) == (
        "1020",
        "EUR",
        False,
        acme.user["id"],
    )
    assert acme.ok("GET", f"/finance/accounts/{made['id']}") == made == account(acme, "1020")
    assert events_of(acme, made["id"]) == ["account.created"]


def test_the_documented_examples_work(acme):
    made = acme.ok("POST", "/finance/accounts", NewAccount.EXAMPLE)
    changed = acme.ok("PATCH", f"/finance/accounts/{made['id']}", AccountChange.EXAMPLE)
    assert changed["name"] == AccountChange.EXAMPLE["name"]


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"code": "10 20"}, "code", "bad_format"),
        ({"code": "1" * 21}, "code", "too_long"),
        ({"name": ""}, "name", "required"),
        ({"type": "money"}, "type", "not_one_of"),
        ({"subtype": "money"}, "subtype", "not_one_of"),
        ({"subtype": "payable"}, "subtype", "not_one_of"),
        ({"currency": "XXX"}, "currency", "unknown_currency"),
        ({"parentId": "nobody"}, "parentId", "unknown_reference"),
        ({"parentId": "1010"}, "parentId", "not_a_group"),
        ({"balance": "1.00"}, "balance", "read_only"),
    ],
)
def test_an_account_that_does_not_fit_is_refused(acme, fields, field, code):
    error = acme.refused("POST", "/finance/accounts", {**SAVINGS, **fields}, status=422)
    assert complaint(error) == (field, code)


def test_a_code_is_unique(acme):
    error = acme.refused("POST", "/finance/accounts", {**SAVINGS, "code": "1010"}, status=409, code="already_exists")
    assert "1010" in error["message"]
    made = acme.ok("POST", "/finance/accounts", SAVINGS)
    acme.refused("PATCH", f"/finance/accounts/{made['id']}", {"code": "1010"}, status=409, code="already_exists")


def test_a_parent_is_a_group_of_the_same_type_that_is_not_archived(acme):
    other = group(acme, "40", type="income", subtype="income")
    error = acme.refused("POST", "/finance/accounts", {**SAVINGS, "parentId": other["id"]}, status=422)
    assert complaint(error) == ("parentId", "other_type")
    done = group(acme, "10")
    acme.ok("POST", f"/finance/accounts/{done['id']}/archive")
    error = acme.refused("POST", "/finance/accounts", {**SAVINGS, "parentId": "10"}, status=422)
    assert complaint(error) == ("parentId", "archived")


def test_no_group_is_below_itself(acme):
    outer = group(acme, "10")
    inner = group(acme, "11", "10")
    for parent in (outer["id"], inner["id"]):
        error = acme.refused("PATCH", f"/finance/accounts/{outer['id']}", {"parentId": parent}, status=422)
        assert complaint(error) == ("parentId", "too_deep")


def test_groups_nest_at_most_ten_levels_deep(acme):
    parent = None
    for level in range(accounts.MAX_LEVELS):
        parent = group(acme, f"G{level}", parent)["code"]
    error = acme.refused("POST", "/finance/accounts", {**SAVINGS, "parentId": parent}, status=422)
    assert complaint(error) == ("parentId", "too_deep")
    top = group(acme, "TOP")
    error = acme.refused("PATCH", f"/finance/accounts/{account(acme, 'G0')['id']}", {"parentId": "TOP"}, status=422)
    assert complaint(error) == ("parentId", "too_deep")
    assert account(acme, "TOP")["version"] == top["version"]


def test_a_change_is_logged_and_leaves_other_fields_alone(acme):
    made = acme.ok("POST", "/finance/accounts", SAVINGS | {"description": "For bad days"})
    changed = acme.ok("PATCH", f"/finance/accounts/{made['id']}", {"name": "Reserve", "description": None})
    assert (changed["name"], changed["description"], changed["code"]) == ("Reserve", None, "1020")
    assert changed["version"] == made["version"] + 1
    with acme.books():
        event = Event.select().where(Event.type == "account.updated").get()
        assert '"name":{"from":"Savings","to":"Reserve"}' in event.data


def test_a_change_to_the_present_values_changes_nothing(acme):
    made = acme.ok("POST", "/finance/accounts", SAVINGS)
    assert acme.ok("PATCH", f"/finance/accounts/{made['id']}", SAVINGS) == made
    assert events_of(acme, made["id"]) == ["account.created"]


def test_every_field_of_an_account_without_postings_can_change(acme):
    made = acme.ok("POST", "/finance/accounts", SAVINGS)
    change = {"type": "liability", "subtype": "payable", "currency": "USD", "isGroup": True}
    changed = acme.ok("PATCH", f"/finance/accounts/{made['id']}", change)
    assert {name: changed[name] for name in change} == change


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "expense", "subtype": "expense"},
        {"currency": "USD"},
        {"isGroup": True},
        {"subtype": "receivable"},
    ],
)
def test_the_first_posting_fixes_what_an_account_is(acme, fields):
    made = acme.ok("POST", "/finance/accounts", SAVINGS)
    post(acme, "1020", "4000", 100)
    acme.refused("PATCH", f"/finance/accounts/{made['id']}", fields, status=409, code="in_use")
    assert acme.ok("PATCH", f"/finance/accounts/{made['id']}", {"subtype": "cash"})["subtype"] == "cash"


def test_the_default_receivable_account_keeps_its_subtype(acme):
    receivable = account(acme, "1100")
    for fields in ({"subtype": "bank"}, {"isGroup": True}):
        acme.refused("PATCH", f"/finance/accounts/{receivable['id']}", fields, status=409, code="in_use")


def test_the_default_bank_account_must_hold_money(acme):
    path = f"/finance/accounts/{account(acme, '1010')['id']}"
    error = acme.refused("PATCH", path, {"subtype": "inventory"}, status=409, code="in_use")
    assert "subtype" in error["message"]
    assert acme.ok("PATCH", path, {"subtype": "cash", "name": "Till"})["subtype"] == "cash"
    assert acme.ok("PATCH", path, {"name": "Big till"})["name"] == "Big till"


def test_a_group_with_accounts_stays_a_group_of_its_type(acme):
    parent = group(acme, "10")
    acme.ok("POST", "/finance/accounts", {**SAVINGS, "parentId": "10"})
    for fields in ({"isGroup": False}, {"type": "income", "subtype": "income"}):
        acme.refused("PATCH", f"/finance/accounts/{parent['id']}", fields, status=409, code="in_use")
    acme.refused("DELETE", f"/finance/accounts/{parent['id']}", status=409, code="in_use")
    acme.refused("POST", f"/finance/accounts/{parent['id']}/archive", status=409, code="in_use")


def test_an_account_that_nothing_refers_to_is_deleted(acme):
    made = acme.ok("POST", "/finance/accounts", SAVINGS)
    assert acme.ok("DELETE", f"/finance/accounts/{made['id']}") == {}
    acme.refused("GET", f"/finance/accounts/{made['id']}", status=404, code="not_found")
    assert events_of(acme, made["id"]) == ["account.created", "account.deleted"]


def test_an_account_with_postings_is_never_deleted(acme):
    post(acme, "1000", "4100", 100)
    for code in ("1000", "4100"):
        acme.refused("DELETE", f"/finance/accounts/{account(acme, code)['id']}", status=409, code="in_use")


def test_default_accounts_are_neither_deleted_nor_archived(acme):
    for view in chart(acme):
        if view["systemKey"] is not None:
            acme.refused("DELETE", f"/finance/accounts/{view['id']}", status=409, code="in_use")
            acme.refused("POST", f"/finance/accounts/{view['id']}/archive", status=409, code="in_use")


def test_the_account_of_a_tax_rate_is_neither_deleted_nor_archived(acme):
    made = acme.ok("POST", "/finance/accounts", {**SAVINGS, "type": "liability", "subtype": "tax"})
    acme.ok("POST", "/finance/tax-rates", {"name": "Local", "rate": "3", "outputTaxAccountId": "1020"})
    path = f"/finance/accounts/{made['id']}"
    acme.refused("DELETE", path, status=409, code="in_use")
    acme.refused("POST", f"{path}/archive", status=409, code="in_use")
    acme.refused("PATCH", path, {"isGroup": True}, status=409, code="in_use")


def test_the_income_account_of_a_tax_rate_stays_one_and_is_neither_deleted_nor_archived(acme):
    made = acme.ok("POST", "/finance/accounts", {"code": "4300", "name": "7 %", "type": "income", "subtype": "income"})
    rate = acme.ok("POST", "/finance/tax-rates", {"name": "Local", "rate": "3", "incomeAccountId": "4300"})
    path = f"/finance/accounts/{made['id']}"
    acme.refused("DELETE", path, status=409, code="in_use")
    acme.refused("POST", f"{path}/archive", status=409, code="in_use")
    for change in ({"isGroup": True}, {"currency": "USD"}, {"type": "expense", "subtype": "expense"}):
        acme.refused("PATCH", path, change, status=409, code="in_use")
    acme.ok("PATCH", f"/finance/tax-rates/{rate['id']}", {"incomeAccountId": None, "expenseAccountId": "6900"})
    acme.ok("POST", f"{path}/archive")
    other = next(each for each in chart(acme) if each["code"] == "6900")
    acme.refused("POST", f"/finance/accounts/{other['id']}/archive", status=409, code="in_use")


def test_an_account_is_archived_once_its_balance_is_zero(acme):
    path = f"/finance/accounts/{account(acme, '1000')['id']}"
    post(acme, "1000", "4000", 100)
    acme.refused("POST", f"{path}/archive", status=409, code="in_use")
    post(acme, "4000", "1000", 100)
    archived = acme.ok("POST", f"{path}/archive")
    assert archived["archivedAt"] is not None
    assert "1000" not in [view["code"] for view in chart(acme)]
    assert [view["code"] for view in chart(acme, isArchived="true")] == ["1000"]
    acme.refused("POST", f"{path}/archive", status=409, code="invalid_transition")


def test_an_account_is_unarchived_after_its_group(acme):
    parent = group(acme, "10")
    made = acme.ok("POST", "/finance/accounts", {**SAVINGS, "parentId": "10"})
    path, above = f"/finance/accounts/{made['id']}", f"/finance/accounts/{parent['id']}"
    acme.refused("POST", f"{path}/unarchive", status=409, code="invalid_transition")
    acme.ok("POST", f"{path}/archive")
    acme.ok("POST", f"{above}/archive")
    acme.refused("POST", f"{path}/unarchive", status=409, code="conflict")
    acme.ok("POST", f"{above}/unarchive")
    assert acme.ok("POST", f"{path}/unarchive")["archivedAt"] is None
    assert events_of(acme, made["id"]) == ["account.created", "account.archived", "account.unarchived"]


def test_a_stale_change_changes_nothing(acme):
    made = acme.ok("POST", "/finance/accounts", SAVINGS)
    path = f"/finance/accounts/{made['id']}"
    refuse_stale_changes(acme, path)
    answer = acme.call("GET", path)
    assert (answer.json["data"]["name"], answer.headers["etag"]) == ("First", '"2"')


def test_a_viewer_sees_the_chart_and_changes_nothing(acme):
    viewer, path = acme.colleague("viewer"), f"/finance/accounts/{account(acme, '1000')['id']}"
    assert chart(viewer) == chart(acme)
    viewer.ok("GET", path)
    refuse_every_change(viewer, "/finance/accounts", path, SAVINGS)


def test_a_member_does_not_see_the_chart(acme):
    acme.colleague("member").refused("GET", "/finance/accounts", status=403, code="forbidden")


def test_the_accounts_of_another_office_are_not_there(acme, stranger):
    path = f"/finance/accounts/{account(acme, '1000')['id']}"
    stranger.refused("GET", path, status=404, code="not_found")
    stranger.refused("PATCH", path, {"name": "Mine"}, status=404, code="not_found")
    group(acme, "10")
    error = stranger.refused("POST", "/finance/accounts", {**SAVINGS, "parentId": "10"}, status=422)
    assert complaint(error) == ("parentId", "unknown_reference")


def test_a_document_names_an_account_by_code_or_by_id(acme):
    bank = account(acme, "1010")
    with acme.books():
        refs = accounts.refer_all({"lines[0].accountId": "1010", "lines[1].accountId": bank["id"]})
    assert {ref.id for ref in refs.values()} == {bank["id"]}
    assert refs["lines[0].accountId"] == accounts.AccountRef(bank["id"], "1010", "bank", "EUR")


def test_there_is_a_complaint_about_every_account_that_cannot_be_posted_to(acme):
    group(acme, "10")
    acme.ok("POST", f"/finance/accounts/{account(acme, '1000')['id']}/archive")
    with acme.books():
        with pytest.raises(Invalid) as refusal:
            accounts.refer_all({"a": "10", "b": "1000", "c": "nobody", "d": "1010"})
        assert [(complaint.field, complaint.code) for complaint in refusal.value.details] == [
            ("a", "account_closed"),
            ("b", "account_closed"),
            ("c", "unknown_reference"),
        ]
        with pytest.raises(UnknownReference):
            accounts.refer("nobody", "accountId")
        assert accounts.refer("10", "accountId", postable=False).code == "10"


@pytest.mark.parametrize(
    ("name", "currency", "code"),
    [
        ("nobody", "EUR", "unknown_reference"),
        ("1200", "EUR", "unsuitable_account"),
        ("1011", "EUR", "wrong_currency"),
        ("1011", "GBP", "wrong_currency"),
    ],
)
def test_money_is_paid_from_an_account_that_holds_money_in_its_currency(acme, name, currency, code):
    acme.ok("POST", "/finance/accounts", {**SAVINGS, "code": "1011", "currency": "USD"})
    with acme.books(), pytest.raises(Invalid) as refusal:
        accounts.refer_money(name, "accountId", currency)
    assert [(complaint.field, complaint.code) for complaint in refusal.value.details] == [("accountId", code)]


def test_money_is_paid_from_the_default_bank_account_unless_another_is_named(acme):
    acme.ok("POST", "/finance/accounts", {**SAVINGS, "code": "1011", "currency": "USD"})
    with acme.books():
        assert accounts.refer_money(None, "accountId", "EUR").code == "1010"
        assert accounts.refer_money("1010", "accountId", "USD").code == "1010"
        assert accounts.refer_money("1011", "accountId", "USD").code == "1011"


def test_a_new_account_is_in_the_books_of_its_own_office_only(acme, stranger):
    acme.ok("POST", "/finance/accounts", SAVINGS)
    with stranger.books():
        assert not Account.select().where(Account.code == "1020").exists()


def test_the_chart_is_listed_by_ids_and_by_the_instant_of_the_last_change(acme):
    bank, sales = found(acme, "1010"), found(acme, "4000")
    shown = acme.ok("GET", "/finance/accounts", params={"ids": f"{sales['id']},none,{bank['id']}"})
    assert [each["code"] for each in shown] == ["1010", "4000"]
    changed = acme.ok("PATCH", f"/finance/accounts/{sales['id']}", {"name": "Services"})["updatedAt"]
    everything = acme.ok("GET", "/finance/accounts")
    for instant in (bank["updatedAt"], changed):
        since = acme.ok("GET", "/finance/accounts", params={"updatedAfter": instant})
        assert since == [each for each in everything if each["updatedAt"] > instant]
    assert bank["updatedAt"] != changed


def found(office, code):
    (account,) = (each for each in office.ok("GET", "/finance/accounts") if each["code"] == code)
    return account
