"""The exports of Xero: contacts, the chart of accounts, and what is open of invoices and bills."""

import pytest

from tests.finance.books.balances import trial_balance

CONTACTS, ACCOUNTS, OPENING = "/finance/contacts/import", "/finance/accounts/import", "/finance/opening-balances"
PEOPLE = (
    "*ContactName,AccountNumber,EmailAddress,FirstName,LastName,POAttentionTo,POAddressLine1,POAddressLine2,"
    "POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,POCountry,SAAttentionTo,SAAddressLine1,SAAddressLine2,"
    "SAAddressLine3,SAAddressLine4,SACity,SARegion,SAPostalCode,SACountry,PhoneNumber,FaxNumber,MobileNumber,DDINumber,"
    "SkypeName,BankAccountName,BankAccountNumber,BankAccountParticulars,TaxNumber,AccountsReceivableTaxCodeName,"
    "AccountsPayableTaxCodeName,Website,LegalName,Discount,CompanyNumber,DueDateBillDay,DueDateBillTerm,"
    "DueDateSalesDay,DueDateSalesTerm\n"
    "Globex,GLO1,ar@globex.example,Hank,Scorpio,,4 Mill Lane,Floor 2,Left,,Cork,Munster,T12,Ireland,,,,,,,,,,"
    ",,087 123,,,,IE29AIBK93115212345678,,IE6433435F,,,,Globex Ltd,,,,,14,day(s) after bill date\n"
    "Initech,,,,,,,,,,,,,,,1 Side St,,,,Austin,TX,73301,United States,555 01,,,,,,,,12-345,,,,,,,,,"
    "20,of the following month\n"
)
CHART = (
    "*Code,*Name,*Type,*Tax Code,Description,Dashboard,Expense Claims,Enable Payments,Balance\n"
    "090,Business account,Bank,No VAT,,Yes,No,No,100.00\n"
    "200,Sales,Revenue,20% (VAT on Income),What we sell,No,No,No,\n"
    "310,Cost of goods sold,Direct Costs,20% (VAT on Expenses),,No,No,No,\n"
    "429,General expenses,Overhead,20% (VAT on Expenses),,No,Yes,No,\n"
    "710,Office equipment,Fixed Asset,20% (VAT on Capital Purchases),,No,No,No,\n"
    "820,VAT,VAT,No VAT,,No,No,No,\n"
    "900,Loan,Non-current Liability,No VAT,,No,No,No,\n"
)
HEADINGS = (
    "ContactName,EmailAddress,POAddressLine1,POAddressLine2,POAddressLine3,POAddressLine4,POCity,PORegion,POPostalCode,"
    "POCountry,SAAddressLine1,SAAddressLine2,SAAddressLine3,SAAddressLine4,SACity,SARegion,SAPostalCode,SACountry,"
    "InvoiceNumber,Reference,InvoiceDate,DueDate,PlannedDate,Total,TaxTotal,InvoiceAmountPaid,InvoiceAmountDue,"
    "InventoryItemCode,Description,Quantity,UnitAmount,Discount,LineAmount,AccountCode,TaxType,TaxAmount,TrackingName1,"
    "TrackingOption1,TrackingName2,TrackingOption2,Currency,Type,Sent,Status\n"
)


def line(name, number, due, kind="Sales invoice", status="Awaiting Payment", day="21/12/2025", currency="EUR"):
    return (
        f"{name},,,,,,,,,,,,,,,,,,{number},Ref,{day},31/12/2025,,{due},0,0,{due},,Work,1.0000,1,,1,200,20%,0,,,,,"
        f"{currency},{kind},Sent,{status}\n"
    )


INVOICES = (
    HEADINGS
    + line("Globex", "INV-1", "120.5000")
    + line("Globex", "INV-1", "120.5000")
    + line("Globex", "CN-1", "20.00", kind="Sales credit note")
    + line("Globex", "INV-2", "99.00", status="Draft")
    + line("Globex", "INV-3", "0.00", status="Paid")
    + line("Globex", "INV-4", "1.00", status="Voided")
)


def imported(office, path, csv, **fields):
    return office.ok("POST", path, {"source": "xero", "csv": csv, **fields})


def items(office):
    return {each["number"]: each["amount"] for each in office.ok("GET", "/finance/open-items")}


def test_contacts_come_with_their_addresses_and_only_once(acme):
    added = {"rows": 2, "dryRun": False, "known": 0, "duplicates": []}
    assert imported(acme, CONTACTS, PEOPLE, kind="customer", dryRun=True) == added | {"dryRun": True}
    assert acme.ok("GET", "/finance/contacts") == []
    assert imported(acme, CONTACTS, PEOPLE, kind="customer") == added
    shown = {each["name"]: each for each in acme.ok("GET", "/finance/contacts")}
    globex, initech = shown["Globex"], shown["Initech"]
    assert (globex["kind"], globex["legalName"], globex["email"]) == ("customer", "Globex Ltd", "ar@globex.example")
    assert globex["address"] == {
        "line1": "4 Mill Lane",
        "line2": "Floor 2, Left",
        "city": "Cork",
        "region": "Munster",
        "postalCode": "T12",
        "country": "IE",
    }
    assert (globex["vatId"], globex["phone"], globex["paymentTermsDays"]) == ("IE6433435F", "087 123", 14)
    assert globex["bankAccount"]["iban"] == "IE29AIBK93115212345678"
    assert (initech["address"]["city"], initech["address"]["country"]) == ("Austin", "US")
    assert (initech["vatId"], initech["taxNumber"], initech["phone"]) == (None, "12-345", "555 01")
    again = imported(acme, CONTACTS, PEOPLE)
    assert (again["rows"], again["known"], len(acme.ok("GET", "/finance/contacts"))) == (2, 2, 2)


def test_the_chart_of_accounts_has_our_types_and_comes_only_once(acme):
    assert imported(acme, ACCOUNTS, CHART) == {"rows": 7, "dryRun": False}
    shown = {each["code"]: (each["type"], each["subtype"]) for each in acme.ok("GET", "/finance/accounts")}
    assert {code: shown[code] for code in ("090", "200", "310", "429", "710", "820", "900")} == {
        "090": ("asset", "bank"),
        "200": ("income", "income"),
        "310": ("expense", "cost_of_sales"),
        "429": ("expense", "expense"),
        "710": ("asset", "fixed_asset"),
        "820": ("liability", "tax"),
        "900": ("liability", "long_term_liability"),
    }
    assert imported(acme, ACCOUNTS, CHART) == {"rows": 0, "dryRun": False}
    other = CHART.replace("200,Sales,Revenue", "200,Sales,Expense")
    refused = acme.refused("POST", ACCOUNTS, {"source": "xero", "csv": other}, status=422)
    assert [(each["field"], each["code"]) for each in refused["details"]] == [("rows[3].code", "other_type")]


def test_open_invoices_join_the_opening_balances_and_only_once(acme):
    acme.ok("POST", "/finance/contacts", {"kind": "both", "name": "Globex"})
    lines = [{"accountId": "1010", "debit": "500.00"}, {"accountId": "3000", "credit": "500.00"}]
    acme.ok("POST", OPENING, {"date": "2025-12-31", "lines": lines})
    done = imported(acme, OPENING, INVOICES, date="2025-12-31", dryRun=True)
    assert (done["items"], done["total"], items(acme)) == (2, "120.50", {})
    imported(acme, OPENING, INVOICES, date="2025-12-31")
    assert items(acme) == {"INV-1": "120.50", "CN-1": "-20.00"}
    bills = HEADINGS + line("Globex", "B-7", "60.00", kind="Bill")
    imported(acme, OPENING, bills, date="2025-12-31")
    assert items(acme) == {"INV-1": "120.50", "CN-1": "-20.00", "B-7": "-60.00"}
    balances = {code: str(amount) for code, amount in trial_balance(acme, "2025-12-31").items() if amount}
    assert (balances["1010"], balances["1100"], balances["2000"], balances["3000"]) == (
        *("500.00", "100.50"),
        *("-60.00", "-500.00"),
    )
    (one,) = [each for each in acme.ok("GET", "/finance/open-items") if each["number"] == "INV-1"]
    assert (one["dueDate"], one["contactName"]) == ("2025-12-31", "Globex")
    entry = acme.ok("GET", OPENING)["journalEntryId"]
    again = imported(acme, OPENING, INVOICES, date="2025-12-31")
    assert (again["items"], again["journalEntryId"], acme.ok("GET", OPENING)["journalEntryId"]) == (0, None, entry)


def test_bills_without_a_number_of_their_own_are_not_taken_for_one(acme):
    """In Xero a bill may have a reference alone, and a supplier may use a number again."""
    acme.ok("POST", "/finance/contacts", {"kind": "both", "name": "Globex"})
    rent = line("Globex", "Rent", "60.00", kind="Bill") + line("Globex", "Rent", "61.00", kind="Bill", day="22/12/2025")
    first, second = (line("Globex", "", due, kind="Bill") for due in ("10.00", "20.00"))
    bills = HEADINGS + rent + first + second.replace(",Ref,", ",Other,")
    done = imported(acme, OPENING, bills, date="2025-12-31")
    assert (done["accounts"], done["items"], done["difference"]) == (0, 4, "151.00")
    more = bills + line("Globex", "Rent", "62.00", kind="Bill", day="23/12/2025")
    done = imported(acme, OPENING, more, date="2025-12-31")
    assert (done["accounts"], done["items"], done["difference"]) == (0, 1, "213.00")
    shown = acme.ok("GET", "/finance/open-items")
    assert sorted(each["amount"] for each in shown) == ["-10.00", "-20.00", "-60.00", "-61.00", "-62.00"]
    again = imported(acme, OPENING, more, date="2025-12-31")
    assert (again["items"], again["journalEntryId"]) == (0, None)


@pytest.mark.parametrize(
    ("path", "csv", "field", "code"),
    [
        (CONTACTS, "a,b\n1,2\n", "csv", "wrong_headings"),
        (ACCOUNTS, "a,b\n1,2\n", "csv", "wrong_headings"),
        (OPENING, "a,b\n1,2\n", "csv", "wrong_headings"),
        (OPENING, HEADINGS + line("Nobody", "INV-1", "1.00"), "rows[2].contactId", "unknown_reference"),
        (OPENING, HEADINGS + line("Globex", "INV-1", "1.00", currency="USD"), "rows[2]", "other_currency"),
        (OPENING, HEADINGS + line("Globex", "INV-1", "1.00", day="31/31/2025"), "csv", "date_order"),
        (OPENING, HEADINGS + line("Globex", "INV-1", "1e999999"), "rows[2].debit", "not_a_number"),
    ],
)
def test_what_is_not_such_an_export_is_refused(acme, path, csv, field, code):
    acme.ok("POST", "/finance/contacts", {"kind": "both", "name": "Globex"})
    body = {"source": "xero", "csv": csv} | ({"date": "2025-12-31"} if path == OPENING else {})
    refused = acme.refused("POST", path, body, status=422)
    assert (refused["details"][0]["field"], refused["details"][0]["code"]) == (field, code)


def test_open_invoices_are_of_the_day_of_the_opening_balances(acme):
    acme.ok("POST", "/finance/contacts", {"kind": "both", "name": "Globex"})
    imported(acme, OPENING, INVOICES, date="2025-12-31")
    body = {"source": "xero", "csv": INVOICES.replace("INV-1", "INV-9"), "date": "2025-11-30"}
    refused = acme.refused("POST", OPENING, body, status=422)
    assert [(each["field"], each["code"]) for each in refused["details"]] == [("date", "other_day")]
