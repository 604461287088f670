"""Journal entries from the export of GnuCash."""

import pytest

from tests.finance.books.balances import trial_balance

PATH = "/finance/journals/import"
HEADINGS = (
    "Date,Transaction ID,Number,Description,Notes,Commodity/Currency,Void Reason,Action,Memo,Full Account Name,"
    "Account Name,Amount With Sym,Amount Num.,Value With Sym,Value Num.,Reconcile,Reconcile Date,Rate/Price\n"
)
OLD_HEADINGS = (
    "Date,Transaction ID,Number,Description,Notes,Commodity/Currency,Void Reason,Action,Memo,Full Account Name,"
    "Account Name,Amount With Sym.,Amount Num,Reconcile,Reconcile Date,Rate/Price\n"
)
RENT, POWER = "6d0b834e77b16d5a0eeb0f92f0dd1681", "b33c8a6160494417558fd143731fc26a"
ACCOUNTS = {"Expenses:Premises:Rent": "6100", "Expenses:Power": "6200", "Assets:Current:Giro": "1010"}


def split(id, account, amount, *, day="2026-01-20", text="Rent", currency="EUR", void="", memo=""):
    """A row of a newer version, which names the transaction in each."""
    leaf, sums = account.rpartition(":")[2], f'"€{amount}","{amount}","€{amount}","{amount}"'
    return f"{day},{id},,{text},,CURRENCY::{currency},{void},,{memo},{account},{leaf},{sums},n,,1\n"


def rent(**fields):
    return split(RENT, "Expenses:Premises:Rent", "1,234.50", memo="January", **fields) + split(
        RENT, "Assets:Current:Giro", "-1,234.50", **fields
    )


def sent(csv, **fields):
    return {"source": "gnucash", "csv": csv, "accounts": ACCOUNTS, **fields}


def shown(office):
    entries = office.ok("GET", "/finance/journals", params={"sort": "date"})
    return [(each["date"], each["description"], each["total"]) for each in entries]


def test_an_export_is_posted_and_the_same_file_twice_adds_nothing(acme):
    void = split("f" * 32, "Expenses:Power", "9.00", void="Twice") + split(
        "f" * 32, "Assets:Current:Giro", "-9.00", void="x"
    )
    csv = HEADINGS + rent() + void + split(RENT, "Expenses:Power", "0.00")
    assert acme.ok("POST", PATH, sent(csv, dryRun=True)) == {"rows": 2, "known": 0, "dryRun": True}
    assert shown(acme) == []
    assert acme.ok("POST", PATH, sent(csv)) == {"rows": 2, "known": 0, "dryRun": False}
    assert shown(acme) == [("2026-01-20", "Rent", "1234.50")]
    assert acme.ok("POST", PATH, sent(csv)) == {"rows": 2, "known": 2, "dryRun": False}
    assert str(trial_balance(acme, "2026-01-31")["1010"]) == "-1234.50"
    (entry,) = acme.ok("GET", "/finance/journals")
    lines = acme.ok("GET", f"/finance/journals/{entry['id']}")["lines"]
    assert [(line["accountCode"], line["description"]) for line in lines] == [("6100", "January"), ("1010", None)]


def test_an_older_version_names_a_transaction_in_its_first_row_alone(acme):
    csv = OLD_HEADINGS + (
        f'23.08.2026,{POWER},,Power,,CURRENCY::EUR,,,,Expenses:Power,Power,"80,00 €","80,00",n,,1.00\n'
        f',,,,,,,,,Assets:Current:Giro,Giro,"-80,00 €","-80,00",n,,1.00\n'
    )
    assert acme.ok("POST", PATH, sent(csv, dryRun=True)) == {"rows": 2, "known": 0, "dryRun": True}


def test_accounts_are_found_by_name_or_code_else_named_by_the_request(acme):
    acme.ok(
        "POST", PATH, sent(HEADINGS + split(RENT, "Expenses:Rent", "5.00") + split(RENT, "1010", "-5.00"), accounts={})
    )
    refused = acme.refused("POST", PATH, sent(HEADINGS + rent().replace(RENT, POWER), accounts={}), status=422)
    assert [(each["field"], each["code"]) for each in refused["details"]] == [
        ("rows[3].accountId", "unknown_reference")
    ]


@pytest.mark.parametrize(
    ("csv", "field", "code"),
    [
        ("a,b\n1,2\n", "csv", "wrong_headings"),
        (HEADINGS + rent(currency="USD"), "rows[2]", "other_currency"),
        (HEADINGS + rent(day="01/02/2026"), "dateOrder", "date_order"),
        (HEADINGS + split(RENT, "Expenses:Power", "5.00"), "rows[2]", "unbalanced_entry"),
    ],
)
def test_what_cannot_be_posted_is_refused(acme, csv, field, code):
    refused = acme.refused("POST", PATH, sent(csv), status=422)
    assert (refused["details"][0]["field"], refused["details"][0]["code"]) == (field, code)
    assert shown(acme) == []


@pytest.mark.parametrize(("order", "day"), [("day_first", "2026-02-01"), ("month_first", "2026-01-02")])
def test_the_order_of_day_and_month_is_said_where_the_file_does_not_show_it(acme, order, day):
    acme.ok("POST", PATH, sent(HEADINGS + rent(day="01/02/2026"), dateOrder=order))
    assert [date for date, *_ in shown(acme)] == [day]
