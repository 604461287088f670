"""What invoices post."""

import pytest

from erp.finance.books.models import Account, Posting
from erp.store import workspace_settings
from tests.finance.contacts.contacts import customer, tax_rate
from tests.finance.documents.invoices import invoice, line, new_invoice
from tests.finance.journals.journals import entry_count, posted
from tests.refusals import complaints


def legs(office, entry_id):
    """Account code, base amount, currency and foreign amount of each leg."""
    with office.books():
        columns = (Account.code, Posting.amount, Posting.currency, Posting.foreign_amount)
        rows = Posting.select(*columns).join(Account).where(Posting.entry == entry_id).order_by(Account.code)
        return list(rows.tuples())


def test_an_invoice_debits_the_customer_and_credits_income_and_tax(acme):
    tax, untaxed = tax_rate(acme)["id"], tax_rate(acme, "0", category="Z")["id"]
    lines = [line(taxRateId=tax), line("50.00", accountId="4100", taxRateId=tax), line("10.00", taxRateId=untaxed)]
    made = invoice(acme, *lines)
    assert posted(acme, made["journalEntryId"]) == {"1100": 19_000, "2200": -3_000, "4000": -11_000, "4100": -5_000}
    with acme.books():
        assert Posting.select().where(Posting.amount == 19_000, Posting.contact_id == made["customerId"]).count() == 1


def test_a_credit_note_posts_the_other_way_round(acme):
    tax, untaxed = tax_rate(acme)["id"], tax_rate(acme, "0", category="Z")["id"]
    charges = [{"amount": "1.00", "taxRateId": untaxed}]
    made = invoice(acme, line(taxRateId=tax), kind="sales_credit_note", charges=charges)
    assert posted(acme, made["journalEntryId"]) == {"1100": -12_100, "2200": 2_000, "4000": 10_100}


def test_the_entry_names_the_invoice_and_the_customer(acme):
    made = invoice(acme)
    entry = acme.ok("GET", f"/finance/journals/{made['journalEntryId']}")
    assert entry["description"] == f"Invoice {made['number']}, Globex"
    assert (entry["kind"], entry["source"], entry["date"]) == (
        "invoice",
        {"type": "invoice", "id": made["id"]},
        made["issueDate"],
    )


def test_a_document_discount_lowers_the_income_of_each_line(acme):
    full, reduced = tax_rate(acme)["id"], tax_rate(acme, "10")["id"]
    made = invoice(
        acme,
        line("50.00", taxRateId=full),
        line("49.99", taxRateId=reduced, accountId="4100"),
        discount={"amount": "10.00"},
    )
    assert (made["taxTotal"], made["total"]) == ("13.50", "103.49")
    assert posted(acme, made["journalEntryId"]) == {"1100": 10_349, "2200": -1_350, "4000": -4_500, "4100": -4_499}


def test_allowances_and_charges_go_to_their_accounts(acme):
    made = invoice(
        acme,
        allowances=[{"amount": "5.00"}, {"percent": "1", "accountId": "4800"}],
        charges=[{"amount": "7.00", "accountId": "4100", "description": "Freight"}],
    )
    assert posted(acme, made["journalEntryId"]) == {"1100": 10_100, "4000": -9_500, "4100": -700, "4800": 100}


def test_tax_goes_to_the_account_of_its_rate(acme):
    own = acme.ok(
        "POST", "/finance/accounts", {"code": "2210", "name": "City tax", "type": "liability", "subtype": "tax"}
    )
    city, state = tax_rate(acme, "5", outputTaxAccountId=own["id"])["id"], tax_rate(acme, "20")["id"]
    made = invoice(acme, line(taxRateId=city), line(taxRateId=state))
    assert posted(acme, made["journalEntryId"]) == {"1100": 22_500, "2200": -2_000, "2210": -500, "4000": -20_000}


def income_account(office, code, **fields):
    body = {"code": code, "name": f"Income {code}", "type": "income", "subtype": "income", **fields}
    return office.ok("POST", "/finance/accounts", body)


def test_a_line_without_an_account_goes_to_the_income_account_of_its_tax_rate(acme):
    income_account(acme, "4300")
    reduced = tax_rate(acme, "7", incomeAccountId="4300")["id"]
    full = tax_rate(acme, "19")["id"]
    made = invoice(
        acme,
        line("100.00", taxRateId=reduced),
        line("30.00", taxRateId=reduced, accountId="4100"),
        line("20.00", taxRateId=full),
        allowances=[{"amount": "10.00", "taxRateId": reduced}],
        charges=[{"amount": "5.00", "taxRateId": reduced}, {"amount": "2.00", "taxRateId": full}],
    )
    assert posted(acme, made["journalEntryId"]) == {
        "1100": 14_700 + 875 + 418,
        "2200": -875 - 418,
        "4000": -2_200,
        "4100": -3_000,
        "4300": -9_500,
    }


def test_the_default_rate_brings_its_income_account_and_a_draft_takes_that_of_the_day_of_issue(acme):
    income_account(acme, "4300")
    income_account(acme, "4400")
    usual = tax_rate(acme, "19", incomeAccountId="4300", isDefault=True)["id"]
    draft = invoice(acme, draft=True)
    assert acme.ok("GET", f"/finance/accounts/{draft['lines'][0]['accountId']}")["code"] == "4300"
    acme.ok("PATCH", f"/finance/tax-rates/{usual}", {"incomeAccountId": "4400"})
    made = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    assert posted(acme, made["journalEntryId"]) == {"1100": 11_900, "2200": -1_900, "4400": -10_000}


def test_rates_of_the_same_percentage_share_one_rounding_but_not_their_account(acme):
    own = acme.ok(
        "POST", "/finance/accounts", {"code": "2210", "name": "City tax", "type": "liability", "subtype": "tax"}
    )
    one, two = tax_rate(acme, "10", outputTaxAccountId=own["id"])["id"], tax_rate(acme, "10")["id"]
    made = invoice(acme, line("0.05", taxRateId=one), line("0.04", taxRateId=two))
    assert [(row["taxRateId"], row["base"], row["amount"]) for row in made["taxBreakdown"]] == [(one, "0.09", "0.01")]
    assert [each["tax"] for each in made["lines"]] == ["0.01", "0.00"]
    assert posted(acme, made["journalEntryId"]) == {"1100": 10, "2210": -1, "4000": -9}


def test_rounding_goes_to_its_own_account(acme):
    made = invoice(acme, line("10.02"), roundingAmount="-0.02")
    assert (made["roundingAmount"], made["total"]) == ("-0.02", "10.00")
    assert posted(acme, made["journalEntryId"]) == {"1100": 1_000, "4000": -1_002, "4910": 2}


@pytest.mark.parametrize(
    ("step", "fields", "most", "beyond"),
    [
        (None, {}, "5.00", "5.01"),
        (5, {}, "0.02", "0.03"),
        (100, {}, "0.50", "0.51"),
        (5, {"currency": "USD", "exchangeRate": "1"}, "5.00", "5.01"),
        (None, {"currency": "JPY", "exchangeRate": "0.006"}, "5", "6"),
        (None, {"currency": "KWD", "exchangeRate": "3"}, "5.000", "5.001"),
    ],
    ids=str,
)
def test_rounding_is_small_and_no_second_discount(acme, step, fields, most, beyond):
    with acme.books(write=True):
        workspace_settings.current().change(cash_rounding=step)
    for sign in ("", "-"):
        assert invoice(acme, line("100"), roundingAmount=sign + most, **fields)["roundingAmount"] == sign + most
        body = new_invoice(line("100"), roundingAmount=sign + beyond, **fields)
        refused = acme.refused("POST", "/finance/invoices", body, status=422, code="validation_failed")
        for (detail,) in (refused["details"], acme.ok("POST", "/finance/invoices/preview", body)["details"]):
            assert (detail["field"], detail["code"]) == ("roundingAmount", "too_large")
            assert most in detail["message"]


def test_cash_rounding_is_that_of_the_workspace_unless_given(acme):
    with acme.books(write=True):
        workspace_settings.current().change(cash_rounding=5)
    assert [invoice(acme, line("10.02"), **more)["total"] for more in ({}, {"roundingAmount": "0"})] == [
        "10.00",
        "10.02",
    ]
    foreign = invoice(acme, line("10.02"), currency="USD", exchangeRate="1")
    assert foreign["total"] == "10.02"


def test_prices_that_include_tax_are_posted_net(acme):
    tax = tax_rate(acme)["id"]
    made = invoice(acme, *[line("10.00", taxRateId=tax)] * 3, pricesIncludeTax=True)
    assert (made["subtotal"], made["taxTotal"], made["total"]) == ("25.00", "5.00", "30.00")
    assert posted(acme, made["journalEntryId"]) == {"1100": 3_000, "2200": -500, "4000": -2_500}


def test_the_workspace_says_whether_prices_include_tax_and_how_tax_is_rounded(acme):
    tax = tax_rate(acme)["id"]
    with acme.books(write=True):
        workspace_settings.current().change(prices_include_tax=True, tax_rounding="line")
    included = invoice(acme, *[line("10.00", taxRateId=tax)] * 4)
    assert (included["total"], included["taxTotal"], included["taxRounding"]) == ("40.00", "6.68", "line")
    assert invoice(acme, line("10.00", taxRateId=tax), pricesIncludeTax=False)["total"] == "12.00"


def test_a_foreign_invoice_is_posted_at_its_rate_with_its_own_amounts(acme):
    made = invoice(acme, line("100.00"), currency="USD", exchangeRate="0.875")
    assert (made["currency"], made["exchangeRate"], made["total"]) == ("USD", "0.875", "100.00")
    assert legs(acme, made["journalEntryId"]) == [("1100", 8_750, "USD", 10_000), ("4000", -8_750, "USD", -10_000)]


def test_what_conversion_leaves_goes_to_the_largest_leg(acme):
    lines = [line("0.50"), line("0.33", accountId="4100"), line("0.33", accountId="4800")]
    made = invoice(acme, *lines, currency="USD", exchangeRate="0.5")
    assert legs(acme, made["journalEntryId"]) == [
        ("1100", 58, "USD", 116),
        ("4000", -24, "USD", -50),
        ("4100", -17, "USD", -33),
        ("4800", -17, "USD", -33),
    ]


def test_a_foreign_currency_without_decimals_is_converted_in_full(acme):
    made = invoice(acme, line("1500"), currency="JPY", exchangeRate="0.006123456789")
    assert (made["total"], made["exchangeRate"]) == ("1500", "0.006123456789")
    assert posted(acme, made["journalEntryId"]) == {"1100": 919, "4000": -919}


def test_what_is_worth_nothing_at_home_posts_nothing(acme):
    made = invoice(acme, line("0.01"), currency="USD", exchangeRate="0.1")
    assert (made["status"], made["journalEntryId"]) == ("issued", None)
    assert entry_count(acme) == 0


def test_a_customer_brings_currency_and_tax_rate(acme):
    tax, usual = tax_rate(acme, "5")["id"], tax_rate(acme, "20", isDefault=True)["id"]
    globex = customer(acme, currency="USD", defaultTaxRateId=tax)["id"]
    lines = [line(), line(taxRateId=usual), line(taxRateId=None)]
    made = invoice(acme, *lines, customerId=globex, exchangeRate="1", draft=True)
    assert made["currency"] == "USD"
    assert [each["taxRateId"] for each in made["lines"]] == [tax, usual, None]
    assert made["taxTotal"] == "25.00"


def test_the_default_rate_serves_where_none_is_named(acme):
    usual = tax_rate(acme, "20", isDefault=True)["id"]
    made = invoice(acme, line(), charges=[{"amount": "10.00"}])
    assert [row["taxRateId"] for row in made["taxBreakdown"]] == [usual]
    assert (made["taxTotal"], made["total"]) == ("22.00", "132.00")


def test_an_archived_rate_of_the_customer_is_named(acme):
    tax = tax_rate(acme, "5")["id"]
    globex = customer(acme, defaultTaxRateId=tax)["id"]
    acme.ok("POST", f"/finance/tax-rates/{tax}/archive")
    error = acme.refused("POST", "/finance/invoices", new_invoice(customerId=globex), status=422)
    assert complaints(error) == {"customer.defaultTaxRateId": "archived"}
    assert invoice(acme, line(taxRateId=None), customerId=globex)["total"] == "100.00"


@pytest.mark.parametrize("kind", ["sales_invoice", "sales_credit_note"])
def test_voiding_leaves_every_account_as_it_was(acme, kind):
    tax, untaxed = tax_rate(acme)["id"], tax_rate(acme, "0", category="Z")["id"]
    lines = [line(taxRateId=tax), line("3.33", taxRateId=untaxed)]
    made = invoice(acme, *lines, kind=kind, currency="USD", exchangeRate="0.777")
    acme.ok("POST", f"/finance/invoices/{made['id']}/void")
    assert {account["balance"] for account in acme.ok("GET", "/finance/accounts")} == {"0.00"}
