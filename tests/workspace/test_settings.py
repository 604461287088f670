"""Changing a workspace's settings and name."""

from datetime import date
from typing import Any

import pytest

from erp.finance.books import default_accounts
from erp.finance.books.models import Account
from erp.store import control, events, workspace_settings
from erp.store.control import Outbox, Workspace
from tests.workspace.conftest import post_sale


def change(office, body: dict[str, Any], **options: Any) -> Any:
    return office.ok("PATCH", f"/workspace/{office.workspace_id}", body, **options)


def complaints(office, body: dict[str, Any]) -> list[tuple[str, str]]:
    error = office.refused("PATCH", f"/workspace/{office.workspace_id}", body, status=422)
    return sorted((complaint["field"], complaint["code"]) for complaint in error["details"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "Acme & Co"),
        ("legalName", "Acme Ltd"),
        ("vatId", "DE123456788"),
        ("taxNumber", "12/345/67890"),
        ("baseCurrency", "CHF"),
        ("country", "CH"),
        ("timeZone", "Europe/Zurich"),
        ("fiscalYearStart", "07-01"),
        ("taxRounding", "line"),
        ("taxMethod", "net_rate"),
        ("taxFiling", "quarterly"),
        ("taxExtension", True),
        ("cashRounding", "0.05"),
        ("pricesIncludeTax", True),
        ("paymentTermsDays", 0),
        ("paymentTermsDays", 3650),
        ("prorationBasis", "fixed_30"),
        ("leavePayout", "last_13_weeks"),
        ("punchRounding", {"step": 15, "mode": "up"}),
        ("weekend", ["fri"]),
        ("weekend", []),
        ("iban", "DE89370400440532013000"),
    ],
)
def test_a_setting_is_changed_and_stays_changed(acme, field, value):
    before = acme.ok("GET", f"/workspace/{acme.workspace_id}")
    changed = change(acme, {field: value})
    assert changed[field] == value
    untouched = before.keys() - {field, "version", "updatedAt"}
    assert {name: changed[name] for name in untouched} == {name: before[name] for name in untouched}
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}") == changed


@pytest.mark.parametrize(
    ("sent", "field", "code"),
    [
        ({"name": None}, "name", "wrong_type"),
        ({"name": " "}, "name", "required"),
        ({"vatId": "DE123456789"}, "vatId", "not_a_vat_id"),
        ({"baseCurrency": "XXX"}, "baseCurrency", "unknown_currency"),
        ({"country": "ZZ"}, "country", "unknown_country"),
        ({"timeZone": "europe/berlin/x"}, "timeZone", "unknown_time_zone"),
        ({"timeZone": "localtime"}, "timeZone", "unknown_time_zone"),
        ({"fiscalYearStart": "02-29"}, "fiscalYearStart", "not_a_day"),
        ({"fiscalYearStart": "13-01"}, "fiscalYearStart", "not_a_day"),
        ({"fiscalYearStart": "1-1"}, "fiscalYearStart", "not_a_day"),
        ({"taxRounding": "never"}, "taxRounding", "not_one_of"),
        ({"taxFiling": "daily"}, "taxFiling", "not_one_of"),
        ({"cashRounding": "0"}, "cashRounding", "not_positive"),
        ({"cashRounding": "0.005"}, "cashRounding", "too_many_decimals"),
        ({"paymentTermsDays": -1}, "paymentTermsDays", "out_of_range"),
        ({"paymentTermsDays": 3651}, "paymentTermsDays", "out_of_range"),
        ({"punchRounding": {"step": 0}}, "punchRounding.step", "out_of_range"),
        ({"punchRounding": {"step": 61}}, "punchRounding.step", "out_of_range"),
        ({"punchRounding": {"step": 5, "mode": "sideways"}}, "punchRounding.mode", "not_one_of"),
        ({"numberFormats": {"salesInvoice": "INV"}}, "numberFormats.salesInvoice", "bad_format"),
        ({"numberFormats": {"salesInvoice": "{seq}-{year}"}}, "numberFormats.salesInvoice", "bad_format"),
        ({"numberFormats": {"salesInvoice": "{seq}{seq}"}}, "numberFormats.salesInvoice", "bad_format"),
        ({"numberFormats": {"salesInvoice": "x" * 36 + "{seq}"}}, "numberFormats.salesInvoice", "bad_format"),
        ({"numberFormats": {"order": "{seq}"}}, "numberFormats.order", "unknown_field"),
        ({"numberFormats": {"payment": "INV-{year}-{seq}"}}, "numberFormats.payment", "duplicate"),
        ({"weekend": ["sat", "sat"]}, "weekend", "duplicate"),
        ({"weekend": ["caturday"]}, "weekend[0]", "not_one_of"),
        ({"weekend": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}, "weekend", "too_many"),
        ({"iban": "DE89370400440532013001"}, "iban", "not_an_iban"),
        ({"iban": "DE"}, "iban", "not_an_iban"),
        ({"address": {"country": "ZZ"}}, "address.country", "unknown_country"),
        ({"address": {"street": "x"}}, "address.street", "unknown_field"),
        ({"defaultAccounts": {"sales": "9999"}}, "defaultAccounts.sales", "unknown_reference"),
        ({"defaultAccounts": {"petty": "1000"}}, "defaultAccounts.petty", "unknown_field"),
        ({"lockDate": "2026-01-01"}, "lockDate", "read_only"),
        ({"status": "archived"}, "status", "read_only"),
        ({"role": "admin"}, "role", "read_only"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused_by_name_and_nothing_changes(acme, sent, field, code):
    before = acme.ok("GET", f"/workspace/{acme.workspace_id}")
    assert complaints(acme, {**sent, "legalName": "Other"}) == [(field, code)]
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}") == before


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("legalName", "Acme Ltd"),
        ("vatId", "DE123456788"),
        ("taxNumber", "12/345/67890"),
        ("country", "CH"),
        ("cashRounding", "0.05"),
        ("punchRounding", {"step": 5, "mode": "nearest"}),
        ("iban", "DE89370400440532013000"),
        ("address", {"city": "Leeds"}),
    ],
)
def test_an_optional_setting_can_be_cleared(acme, field, value):
    assert change(acme, {field: value})[field]
    assert change(acme, {field: None})[field] is None
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}")[field] is None


def test_everything_that_does_not_fit_is_named_at_once(acme):
    wrong = {"cashRounding": "0.001", "weekend": ["sun", "sun"], "defaultAccounts": {"tax": "4000"}}
    assert complaints(acme, wrong) == [
        ("cashRounding", "too_many_decimals"),
        ("defaultAccounts.tax", "unfit_account"),
        ("weekend", "duplicate"),
    ]


def test_a_vat_id_may_be_typed_with_blanks(acme):
    assert change(acme, {"vatId": "ie 1234567 t"})["vatId"] == "IE1234567T"


def test_an_iban_may_be_typed_with_blanks(acme):
    assert change(acme, {"iban": "gb82 west 1234 5698 7654 32"})["iban"] == "GB82WEST12345698765432"


def test_an_address_is_replaced_as_a_whole(acme):
    change(acme, {"address": {"line1": "1 High St", "city": "Leeds"}})
    assert change(acme, {"address": {"city": "York"}})["address"] == {
        "line1": None, "line2": None, "city": "York", "region": None, "postalCode": None, "country": None
    }  # fmt: skip


def test_number_formats_are_merged_by_series_and_apply_from_the_next_number(acme):
    formats = change(acme, {"numberFormats": {"journal": "J{year}/{seq:3}"}})["numberFormats"]
    assert (formats["journal"], formats["payment"]) == ("J{year}/{seq:3}", "PAY-{year}-{seq:5}")
    with acme.books(write=True):
        assert workspace_settings.next_number("journal", date(2026, 5, 1)) == ("J2026/001", 2026, 1)


def test_two_series_may_swap_their_formats(acme):
    swapped = {"salesInvoice": "CN-{year}-{seq:5}", "salesCreditNote": "INV-{year}-{seq:5}"}
    assert change(acme, {"numberFormats": swapped})["numberFormats"].items() >= swapped.items()


def test_default_accounts_are_merged_by_key_and_named_by_id_or_code(acme):
    before = acme.ok("GET", f"/workspace/{acme.workspace_id}")["defaultAccounts"]
    with acme.books():
        ids = {row.code: row.id for row in Account.select()}
    after = change(acme, {"defaultAccounts": {"sales": "4100", "bank": ids["1000"]}})["defaultAccounts"]
    assert after == before | {"sales": ids["4100"], "bank": ids["1000"]}
    with acme.books():
        assert default_accounts.of("sales") == ids["4100"]


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("receivable", "1010"),
        ("payable", "2200"),
        ("bank", "1200"),
        ("sales", "6100"),
        ("salaries", "2300"),
        ("input_tax", "1100"),
        ("exchange", "1010"),
        ("retained_earnings", "4000"),
    ],
)
def test_a_default_account_must_be_of_the_right_kind(acme, key, code):
    assert complaints(acme, {"defaultAccounts": {key: code}}) == [(f"defaultAccounts.{key}", "unfit_account")]


@pytest.mark.parametrize(("key", "code"), [("exchange", "6900"), ("tax", "1300"), ("bank", "1000")])
def test_some_default_accounts_may_be_of_several_kinds(acme, key, code):
    shown = change(acme, {"defaultAccounts": {key: code}})["defaultAccounts"][key]
    assert acme.ok("GET", f"/finance/accounts/{shown}")["code"] == code


@pytest.mark.parametrize("closing", [{"is_group": True}, {"archived_at": "2026-01-01T00:00:00.000Z"}])
def test_a_default_account_is_one_that_can_be_posted_to(acme, closing):
    with acme.books(write=True):
        Account.update(**closing).where(Account.code == "4100").execute()
    assert complaints(acme, {"defaultAccounts": {"sales": "4100"}}) == [("defaultAccounts.sales", "account_closed")]


def test_an_account_of_another_workspace_is_no_default_account(acme, stranger):
    with stranger.books():
        theirs = Account.get(Account.code == "4100").id
    assert complaints(acme, {"defaultAccounts": {"sales": theirs}}) == [("defaultAccounts.sales", "unknown_reference")]


def test_the_accounts_follow_the_base_currency(acme):
    change(acme, {"baseCurrency": "JPY"})
    with acme.books():
        assert {row.currency for row in Account.select()} == {"JPY"}


def test_a_new_base_currency_clears_cash_rounding_unless_it_comes_along(acme):
    change(acme, {"cashRounding": "0.05"})
    assert change(acme, {"baseCurrency": "JPY"})["cashRounding"] is None
    assert change(acme, {"baseCurrency": "CHF", "cashRounding": "0.1"})["cashRounding"] == "0.10"
    assert change(acme, {"baseCurrency": "CHF"})["cashRounding"] == "0.10"


def test_the_base_currency_is_fixed_by_the_first_posting(acme):
    post_sale(acme)
    path = f"/workspace/{acme.workspace_id}"
    acme.refused("PATCH", path, {"baseCurrency": "USD"}, status=409, code="base_currency_fixed")
    assert change(acme, {"baseCurrency": "EUR"})["baseCurrency"] == "EUR"


@pytest.mark.parametrize(
    ("path", "record"),
    [
        ("/projects", {"name": "Website", "hourlyRate": "95.00"}),
        ("/projects", {"name": "Website", "budgetAmount": "900.00"}),
        ("/tasks", {"title": "Draw", "hourlyRate": "95.00"}),
        (
            "/hr/employees",
            {
                "name": "Mia",
                "hireDate": "2026-01-01",
                "compensation": {"payType": "salary", "amount": "3000.00", "frequency": "monthly"},
            },
        ),
        (
            "/hr/pay-components",
            {"code": "lunch", "name": "Lunch", "kind": "earning", "calculation": "fixed", "amount": "5.00"},
        ),
    ],
)
def test_the_base_currency_is_fixed_once_rates_or_pay_are_agreed_in_it(acme, path, record):
    here = f"/workspace/{acme.workspace_id}"
    acme.ok("POST", path, record)
    acme.refused("PATCH", here, {"baseCurrency": "JPY"}, status=409, code="base_currency_fixed")


def test_the_fiscal_year_is_fixed_by_its_first_number(acme):
    change(acme, {"fiscalYearStart": "04-01"})
    post_sale(acme)
    path = f"/workspace/{acme.workspace_id}"
    refusal = acme.refused("PATCH", path, {"fiscalYearStart": "01-01"}, status=409, code="fiscal_year_fixed")
    reasons = {one["field"]: one["message"] for one in acme.ok("GET", path)["fixed"]}
    assert reasons["fiscalYearStart"] == refusal["message"]
    assert reasons.keys() == {"fiscalYearStart", "baseCurrency"}
    assert change(acme, {"fiscalYearStart": "04-01"})["fiscalYearStart"] == "04-01"


def test_numbers_that_run_through_the_years_do_not_fix_the_fiscal_year(acme):
    with acme.books(write=True):
        workspace_settings.next_number("employee", date(2026, 5, 1))
    assert change(acme, {"fiscalYearStart": "04-01"})["fiscalYearStart"] == "04-01"


def test_the_next_number_of_each_series_is_shown(acme):
    change(acme, {"numberFormats": {"employee": "P{seq:3}", "payment": "Z-{seq}"}})
    with acme.books(write=True):
        workspace_settings.next_number("employee", date(2026, 5, 1))
        year = workspace_settings.today().year
    numbers = acme.ok("GET", "/workspace/next-numbers")["numbers"]
    shown = {name: numbers[name] for name in ("employee", "payment", "salesInvoice")}
    assert shown == {"employee": "P002", "payment": "Z-1", "salesInvoice": f"INV-{year}-00001"}
    assert acme.ok("GET", f"/workspace/{acme.workspace_id}")["fixed"] == []


def test_a_change_checks_the_expected_version(acme):
    path = f"/workspace/{acme.workspace_id}"
    answer = acme.call("PATCH", path, {"name": "A"}, headers={"If-Match": '"1"'})
    assert answer.headers["ETag"] == '"2"'
    for body in ({"name": "B"}, {"paymentTermsDays": 1}):
        acme.refused("PATCH", path, body, headers={"If-Match": '"1"'}, status=412, code="version_mismatch")
    shown = acme.ok("GET", path)
    assert (shown["name"], shown["paymentTermsDays"], shown["version"]) == ("A", 30, 2)


@pytest.mark.parametrize(
    ("body", "changed"),
    [
        ({"paymentTermsDays": 7, "iban": "DE89370400440532013000"}, ["paymentTermsDays", "iban"]),
        ({"name": "New"}, ["name"]),
        ({"name": "New", "defaultAccounts": {"sales": "4100"}}, ["name", "defaultAccounts"]),
    ],
)
def test_a_change_is_one_event_that_names_the_fields_without_their_values(acme, body, changed):
    change(acme, body)
    newest, *rest = acme.ok("GET", "/workspace/events")
    assert [event["type"] for event in rest] == ["workspace.created"]
    assert (newest["type"], newest["resource"]["id"]) == ("workspace.updated", acme.workspace_id)
    assert sorted(newest["data"]["changed"]) == sorted(changed)
    assert set(newest["data"]) == {"changed"}


@pytest.mark.parametrize(
    "body",
    [{}, {"name": "Olga's office", "paymentTermsDays": 30, "address": {}, "defaultAccounts": {"sales": "4000"}}],
)
def test_a_change_of_nothing_leaves_no_trace(acme, body):
    assert change(acme, body)["version"] == 1
    assert len(acme.ok("GET", "/workspace/events")) == 1


def test_name_and_settings_change_together_even_if_the_power_goes_between_the_two_files(acme):
    sent = {"legal_name": "New Ltd", "base_currency": "USD"}
    with acme.acting(), control.write():
        Workspace.find(acme.workspace_id).change(name="New")
        events.write_later(
            acme.workspace_id, "workspace.updated", "workspace", acme.workspace_id, {}, changed_settings=sent
        )
    shown = acme.ok("GET", f"/workspace/{acme.workspace_id}")
    assert (shown["name"], shown["legalName"], shown["baseCurrency"]) == ("New", "New Ltd", "USD")
    assert acme.ok("GET", "/workspace/events")[0]["type"] == "workspace.updated"
    with acme.acting(), control.read():
        assert not Outbox.select().exists()


@pytest.mark.parametrize("role", ["accountant", "hr", "manager", "member", "viewer"])
def test_only_owners_and_admins_change_settings_but_every_member_reads_them(acme, role):
    colleague = acme.colleague(role)
    assert colleague.ok("GET", f"/workspace/{acme.workspace_id}")["role"] == role
    colleague.refused("PATCH", f"/workspace/{acme.workspace_id}", {"name": "X"}, status=403, code="forbidden")


def test_an_admin_changes_settings(acme):
    assert change(acme.colleague("admin"), {"name": "Admin's"})["name"] == "Admin's"
