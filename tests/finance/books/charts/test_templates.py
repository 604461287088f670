"""The charts of accounts that come with the program: their data, and offices that work with each of them."""

import json
import re
from decimal import Decimal
from typing import Any, cast

import pytest

from erp.finance.books.accounts import AccountRef
from erp.finance.books.chart import STANDARD, SUBTYPES
from erp.finance.books.charts import templates
from erp.kernel.complaints import Complaints
from erp.kernel.countries import tax_percentages
from erp.store import router
from erp.system.checks import files as checking
from erp.workspace import checks
from tests.conftest import Installation, Office
from tests.finance.books.balances import balances
from tests.finance.contacts.contacts import customer, supplier
from tests.finance.documents.invoices import bill, credit, invoice, let_bills_go_by_default, line
from tests.finance.journals.journals import entry
from tests.finance.payments.payments import payment
from tests.hr.payroll.payrolls import act, add_components, paid_employee, payroll_run
from tests.paths import ROOT
from tests.system.transfer.exports import moved

PUBLISHED: dict[str, dict[str, str]] = json.loads((ROOT / "tests/data/charts.json").read_text("utf-8"))
"""Types by number, as published lists of the national charts have them."""
SYSTEM_KEYS = {seed.system_key for seed in STANDARD if seed.system_key}
OF_COUNTRIES = templates.every()[1:]
NOW = "2026-03-11T17:00:00Z"

OF_ONE = {"ch": {"net_tax_gain"}}
"""Default accounts that only some charts have."""
of_country = pytest.mark.parametrize("chart", OF_COUNTRIES, ids=[chart.code for chart in OF_COUNTRIES])


def test_there_is_a_file_for_each_chart_and_a_chart_for_each_file() -> None:
    folder = ROOT / "erp/finance/books/charts/sets"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(templates.CODES[1:])
    assert [chart.code for chart in templates.every()] == list(templates.CODES)


@of_country
def test_a_chart_is_one_that_a_small_office_can_survey(chart: templates.ChartTemplate) -> None:
    codes = [account.code for account in chart.accounts]
    assert codes == sorted(set(codes))
    assert 60 <= len(codes) <= 130
    assert all(re.fullmatch(r"[A-Za-z0-9.\-]{1,20}", code) for code in codes)
    names = [account.name for account in chart.accounts if account.type != "equity"]
    by_type = {(account.type, account.name) for account in chart.accounts if account.type != "equity"}
    assert len(names) == len(by_type)
    assert {account.subtype for account in chart.accounts} <= SUBTYPES.keys()


@of_country
def test_each_default_account_is_there_and_fits_what_is_posted_to_it(chart: templates.ChartTemplate) -> None:
    assert set(chart.default_accounts) | {"accumulated_depreciation"} == SYSTEM_KEYS | OF_ONE.get(chart.code, set())
    accounts = {account.code: account for account in chart.accounts}
    complaints = Complaints()
    for key, code in chart.default_accounts.items():
        checks.check_fits(key, cast(AccountRef, accounts[code]), complaints)
    complaints.refuse()


@of_country
def test_depreciation_is_posted_to_accounts_of_the_chart(chart: templates.ChartTemplate) -> None:
    subtypes = {account.code: account.subtype for account in chart.accounts}
    for pair in chart.depreciation:
        assert {subtypes[pair.asset], subtypes[pair.accumulated or pair.asset]} == {"fixed_asset"}
        assert SUBTYPES[subtypes[pair.expense]] == "expense"


@of_country
def test_the_tax_rates_are_those_of_the_country_and_name_accounts_of_the_chart(chart: templates.ChartTemplate) -> None:
    taxed = tuple(rate.rate for rate in chart.tax_rates if rate.category == "S")
    assert taxed == tax_percentages(chart.countries[0])
    types = {account.code: account.type for account in chart.accounts}
    for rate in chart.tax_rates:
        for column in ("output_tax_account", "input_tax_account"):
            assert getattr(rate, column) is None or types[getattr(rate, column)] in ("asset", "liability"), rate.name
        for column, type in {"income_account": "income", "discounts_given_account": "income"}.items():
            assert getattr(rate, column) is None or types[getattr(rate, column)] == type, rate.name
        for column in ("expense_account", "discounts_received_account"):
            assert getattr(rate, column) is None or types[getattr(rate, column)] == "expense", rate.name
        assert rate.category != "E" or rate.exemption_reason, "an invoice must say why it is exempt"


@pytest.mark.parametrize(
    ("code", "least"), [("de-skr03", 40), ("de-skr04", 100), ("ch", 80), ("fr", 100)], ids=lambda value: str(value)
)
def test_numbers_mean_in_a_chart_what_they_mean_in_the_published_one(code: str, least: int) -> None:
    own = {account.code: account.type for account in templates.template(code).accounts}
    assert len(PUBLISHED[code]) >= least
    assert {number: own[number] for number in PUBLISHED[code]} == PUBLISHED[code]


@pytest.mark.parametrize(
    ("code", "types"),
    [
        ("at", "asset asset asset liability income expense expense expense"),
        ("us", "- asset liability equity income expense expense"),
    ],
)
def test_the_first_digit_gives_the_class(code: str, types: str) -> None:
    for account in templates.template(code).accounts:
        digit = int(account.code[0])
        if digit < len(types.split()) and account.subtype not in ("other_income", "other_expense"):
            assert account.type == types.split()[digit], account.code


@pytest.mark.parametrize(
    ("code", "receivable", "bank", "sales"),
    [
        ("de-skr03", ("1400", "Forderungen aus Lieferungen und Leistungen"), ("1200", "Bank"), ("8200", "Erlöse")),
        ("de-skr04", ("1200", "Forderungen aus Lieferungen und Leistungen"), ("1800", "Bank"), ("4200", "Erlöse")),
        ("at", ("2000", "Forderungen aus Lieferungen und Leistungen"), ("2800", "Bank"), ("4000", "Umsatzerlöse")),
        (
            "ch",
            ("1100", "Forderungen aus Lieferungen und Leistungen (Debitoren)"),
            ("1020", "Bankguthaben"),
            ("3400", "Dienstleistungserlöse"),
        ),
        ("fr", ("411", "Clients"), ("512", "Banques"), ("706", "Prestations de services")),
        ("gb", ("1100", "Trade debtors"), ("1200", "Bank current account"), ("4000", "Sales")),
        ("us", ("1100", "Accounts receivable"), ("1000", "Checking account"), ("4000", "Sales revenue")),
    ],
)
def test_names_are_in_the_countrys_language(installation: Installation, code, receivable, bank, sales) -> None:
    office = installation.office("Olga", chartTemplate=code)
    rows = {row["id"]: (row["code"], row["name"]) for row in office.ok("GET", "/finance/accounts")}
    keys = office.ok("GET", f"/workspace/{office.workspace_id}")["defaultAccounts"]
    assert [rows[keys[key]] for key in ("receivable", "bank", "sales")] == [receivable, bank, sales]
    assert set(keys) | {"accumulated_depreciation"} == SYSTEM_KEYS | OF_ONE.get(code, set())
    assert len(rows) == len(templates.template(code).accounts)


def sell(office: Office, rates: dict[str, str]) -> None:
    """Invoices at each rate, a credit note, a deposit with its final invoice; paid, reduced and written off."""
    address = {"line1": "Ring 1", "city": "Wien", "postalCode": "1010", "country": "AT"}
    buyer = customer(office, "Alster AG", vatId="ATU12345675", address=address)["id"]
    for category in rates:
        invoice(office, line("100.00", taxRateId=rates[category]), customerId=buyer)
    usual = rates.get("S") or rates["O"]
    terms: dict[str, Any] = {"paymentTerms": {"discounts": [{"percent": "2", "days": 14}]}}
    made = invoice(office, line("1000.00", taxRateId=usual), customerId=buyer, **terms)
    due = Decimal(made["total"]) * Decimal("0.98")
    part = {"invoiceId": made["id"], "amount": f"{due:.2f}", "discountTaken": True}
    payment(office, f"{due:.2f}", allocations=[part])
    credit(office, invoice(office, line("200.00", taxRateId=usual), customerId=buyer))
    deposit = invoice(office, line("300.00", taxRateId=usual), kind="deposit_invoice", customerId=buyer)
    payment(office, deposit["total"], invoiceId=deposit["id"])
    invoice(office, line("900.00", taxRateId=usual), kind="final_invoice", customerId=buyer, depositIds=[deposit["id"]])
    for category in ("uncollectable", "doubtful"):
        lost = invoice(office, line("400.00", taxRateId=usual), customerId=buyer)
        office.ok("POST", f"/finance/invoices/{lost['id']}/write-off", {"category": category, "reason": "Insolvent"})
    kronor = {"currency": "SEK", "exchangeRate": "0.09", "issueDate": "2026-02-10"}
    paid, _ = (
        invoice(office, line("500.00", taxRateId=usual), customer={"name": name}, **kronor)
        for name in ("Pacific", "Atlantic")
    )
    payment(office, paid["total"], currency="SEK", exchangeRate="0.08", invoiceId=paid["id"])
    at_ten = [{"currency": "SEK", "rate": "0.10"}]
    made = office.ok("POST", "/finance/revaluations", {"date": "2026-02-28", "rates": at_ten})
    assert made["lines"], "one invoice is still open"


def buy(office: Office, bills: dict[str, str]) -> None:
    seller = supplier(office, vatId="ATU12345675")["id"]
    for category, rate in bills.items():
        made = bill(office, line("100.00", taxRateId=rate), supplierId=seller, supplierNumber=f"M-{category}")
        payment(office, made["amountDue"], direction="made", invoiceId=made["id"], feeAmount="1.00")
    usual = bills.get("S") or bills["O"]
    credit(office, bill(office, line("50.00", taxRateId=usual), supplierId=seller, supplierNumber="M-2"))


def pay_wages(office: Office) -> None:
    paid_employee(office)
    add_components(office)
    run = payroll_run(office)
    act(office, run, "approve")
    act(office, run, "pay")


def by_category(rates: list[dict[str, Any]], *, owed: bool) -> dict[str, str]:
    """A rate of each category: of those that a buyer owes tax by, those for bills or those for sales."""
    fitting = [rate for rate in rates if rate["category"] in ("S", "O") or (rate["rate"] != "0") == owed]
    return {rate["category"]: rate["id"] for rate in reversed(fitting)}


@pytest.mark.parametrize("code", templates.CODES)
def test_every_kind_of_document_and_pay_is_posted_on_each_chart(installation: Installation, clock_at, code) -> None:
    clock_at(NOW)
    country = (templates.template(code).countries or ("DE",))[0]
    office = let_bills_go_by_default(
        installation.office("Olga", chartTemplate=code, country=country, vatId="DE136695976")
    )
    rates = [rate for rate in office.ok("GET", "/finance/tax-rates") if rate["category"] != "E" or code != "standard"]
    sell(office, by_category(rates, owed=False))
    buy(office, by_category(rates, owed=True))
    pay_wages(office)
    office.ok("POST", "/finance/opening-balances", {"date": "2025-12-31", "lines": opening(office)})
    shown = office.ok("GET", "/finance/reports/trial-balance")
    assert shown["totals"]["debit"] == shown["totals"]["credit"] != "0.00"
    assert sum(balances(office).values()) == 0
    router.close_all()
    path = installation.config.workspaces_dir / f"{office.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def opening(office: Office) -> list[dict[str, str]]:
    keys = office.ok("GET", f"/workspace/{office.workspace_id}")["defaultAccounts"]
    return [{"accountId": keys["bank"], "debit": "5000.00"}]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("de-skr04", {"1200": 1404_00, "3801": -14_00, "3806": -190_00, "4300": -200_00, "4400": -1000_00}),
        ("de-skr03", {"1400": 1404_00, "1771": -14_00, "1776": -190_00, "8300": -200_00, "8400": -1000_00}),
    ],
)
def test_a_german_rate_posts_to_its_own_income_and_tax_accounts(installation: Installation, code, expected) -> None:
    """1,000.00 at 19 % and 200.00 at 7 %: 190.00 and 14.00 of tax, 1,404.00 in all."""
    office = installation.office("Olga", chartTemplate=code, country="DE")
    rates = {rate["rate"]: rate["id"] for rate in office.ok("GET", "/finance/tax-rates") if rate["category"] == "S"}
    invoice(office, line("1000.00", taxRateId=rates["19"]), line("200.00", taxRateId=rates["7"]))
    assert balances(office) == expected


def test_the_tax_of_a_foreign_service_is_owed_and_deducted_on_accounts_of_its_own(installation: Installation) -> None:
    """A bill of 240.00 from Ireland: 45.60 of tax on both sides, and 240.00 of cost."""
    office = installation.office("Olga", chartTemplate="de-skr04", country="DE", vatId="DE136695976")
    rates = office.ok("GET", "/finance/tax-rates")
    (rate,) = [row for row in rates if (row["taxTag"], row["rate"]) == ("eu_services", "19")]
    bill(office, line("240.00", taxRateId=rate["id"]), supplier={"name": "Cloud Ireland", "vatId": "IE1234567T"})
    assert balances(office) == {"1407": 45_60, "3300": -240_00, "3837": -45_60, "5923": 240_00}


def test_a_fresh_german_office_sends_its_first_invoice_with_the_fifth_call(
    installation: Installation, monkeypatch
) -> None:
    """Register, create, select, add a customer, invoice: the standard rate is the default."""
    calls: list[str] = []
    call = installation.call

    def counted(verb: str, path: str, *rest: Any, **more: Any) -> Any:
        calls.append(path)
        return call(verb, path, *rest, **more)

    monkeypatch.setattr(installation, "call", counted)
    office = installation._register("Olga")
    made = office.ok("POST", "/workspace", {"name": "Alster GmbH", "country": "DE", "chartTemplate": "country"})
    office.select(made["id"])
    alster = customer(office, "Alster AG")["id"]
    first = invoice(office, "100.00", customerId=alster)
    assert calls == ["/auth/register", "/workspace", "/auth/select-workspace", "/finance/contacts", "/finance/invoices"]
    assert (first["status"], first["taxTotal"], first["total"]) == ("issued", "19.00", "119.00")
    assert balances(office) == {"1200": 119_00, "3806": -19_00, "4400": -100_00}


@pytest.mark.parametrize(
    ("country", "code"),
    [
        ("DE", "de-skr04"),
        ("LI", "ch"),
        ("MC", "fr"),
        ("IM", "gb"),
        ("US", "us"),
        ("JP", "standard"),
        (None, "standard"),
    ],
)
def test_the_usual_chart_follows_the_country(acme: Office, country, code) -> None:
    assert templates.usual(country).code == code
    listed = acme.ok("GET", "/workspace/chart-templates")
    assert next((row["code"] for row in listed if country in row["countries"]), "standard") == code


@pytest.mark.parametrize("country", [{}, {"country": "JP"}])
def test_without_a_country_that_has_a_chart_a_workspace_starts_with_the_generic_one(
    installation: Installation, country
) -> None:
    office = installation.office("Olga", **country)
    rows = {row["code"]: row["name"] for row in office.ok("GET", "/finance/accounts")}
    assert rows == {seed.code: seed.name for seed in STANDARD}


def test_a_workspace_starts_with_the_chart_of_its_country(installation: Installation) -> None:
    office = installation.office("Olga", country="DE")
    names = {row["code"]: row["name"] for row in office.ok("GET", "/finance/accounts")}
    assert (names["1200"], names["4400"]) == ("Forderungen aus Lieferungen und Leistungen", "Erlöse 19 % USt")
    created = next(event for event in office.ok("GET", "/workspace/events") if event["type"] == "workspace.created")
    assert created["data"]["chartTemplate"] == "de-skr04"


def test_in_another_country_a_chart_comes_with_the_percentages_of_that_country(installation: Installation) -> None:
    office = installation.office("Olga", country="BE", chartTemplate="de-skr03")
    rates = [(rate["name"], rate["incomeAccountId"]) for rate in office.ok("GET", "/finance/tax-rates")]
    assert ("Tax 21 %", None) in rates
    assert not any(name.startswith("Umsatzsteuer") for name, _ in rates)


def test_the_list_shows_what_each_chart_is(acme: Office) -> None:
    listed = {row["code"]: row for row in acme.ok("GET", "/workspace/chart-templates")}
    assert list(listed) == list(templates.CODES)
    assert listed["standard"] == {
        "code": "standard",
        "name": "Generic",
        "countries": [],
        "language": "en",
        "accountCount": len(STANDARD),
        "taxRateCount": 0,
    }
    shown = [(listed[code]["name"], listed[code]["countries"], listed[code]["language"]) for code in ("de-skr03", "ch")]
    assert shown == [("SKR 03", ["DE"], "de"), ("Kontenrahmen KMU", ["CH", "LI"], "de")]


@pytest.mark.parametrize("wrong", ["skr03", "DE", "", None, 3])
def test_a_chart_that_does_not_exist_is_refused_by_its_field(acme: Office, wrong) -> None:
    error = acme.refused("POST", "/workspace", {"name": "X", "chartTemplate": wrong}, status=422)
    assert [complaint["field"] for complaint in error["details"]] == ["chartTemplate"]
    assert len(acme.ok("GET", "/workspace")) == 1


def test_the_log_says_which_chart_was_chosen(installation: Installation) -> None:
    office = installation.office("Olga", chartTemplate="fr", country="FR")
    (created,) = office.ok("GET", "/workspace/events", params={"type": "workspace.created"})
    assert created["data"] == {"name": "Olga's office", "chartTemplate": "fr"}


def chart_of(office: Office) -> tuple[Any, ...]:
    """The accounts, the tax rates with their accounts, and the default accounts."""
    accounts = [(row["code"], row["name"], row["type"]) for row in office.ok("GET", "/finance/accounts")]
    rates = [(rate["name"], rate["incomeAccountId"]) for rate in office.ok("GET", "/finance/tax-rates")]
    return accounts, rates, office.ok("GET", f"/workspace/{office.workspace_id}")["defaultAccounts"]


def test_a_chart_moves_with_its_workspace(installation: Installation, tmp_path) -> None:
    office = installation.office("Olga", chartTemplate="de-skr03", country="DE")
    (there,) = moved(office, Installation(tmp_path / "other"), tmp_path)
    assert ("8400", "Erlöse 19 % USt", "income") in chart_of(there)[0]
    assert chart_of(there) == chart_of(office)


def texts(office: Office) -> list[str]:
    return [made["description"] for made in office.ok("GET", "/finance/journals", params={"sort": "number"})]


def trade(office: Office) -> None:
    """An invoice that is paid and one that is void, a bill, and an entry by hand with the words of the office."""
    alster = customer(office, "Alster AG")["id"]
    payment(office, "119.00", invoiceId=invoice(office, "100.00", customerId=alster)["id"])
    void = invoice(office, "50.00", customerId=alster)
    office.ok("POST", f"/finance/invoices/{void['id']}/void", {})
    bill(office, "10.00", supplier={"name": "Meyer"}, supplierNumber="M-1")
    entry(office, description="Invoice", debit="1600", credit="1800")


def test_the_texts_of_entries_are_in_the_language_of_the_chart(installation: Installation, clock_at) -> None:
    clock_at(NOW)
    office = installation.office("Olga", country="DE", chartTemplate="de-skr04")
    trade(office)
    assert texts(office) == [
        "Rechnung INV-2026-00001, Alster AG",
        "Zahlung PAY-2026-00001 von Alster AG",
        "Rechnung INV-2026-00002, Alster AG",
        "Storno von INV-2026-00002",
        "Eingangsrechnung BILL-2026-00001, Meyer",
        "Invoice",
    ]
    router.close_all()
    path = installation.config.workspaces_dir / f"{office.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_an_office_that_has_chosen_no_language_has_english_texts(installation: Installation, clock_at) -> None:
    clock_at(NOW)
    office = installation.office("Olga", country="DE", chartTemplate="standard")
    payment(office, "100.00", invoiceId=invoice(office, "100.00")["id"])
    assert texts(office) == ["Invoice INV-2026-00001, Globex", "Payment PAY-2026-00001 from Globex"]
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"paperLanguage": "de"})
    invoice(office, "100.00")
    assert texts(office)[-1] == "Rechnung INV-2026-00002, Globex"
