"""Exchange rates: entered by hand, imported from the ECB's files, and taken by documents that give none."""

import base64
import zipfile
from io import BytesIO

import pytest

from erp.finance.books.exchange_rates import importing
from erp.store import control
from erp.store.router import WORKSPACE
from erp.system.checks import files
from tests.finance.documents.invoices import new_invoice

RATES = "/finance/exchange-rates"
IMPORT = f"{RATES}/import"
ENVELOPE = """<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube>{days}</Cube>
</gesmes:Envelope>"""
DAY = """<Cube time='{day}'><Cube currency='USD' rate='{usd}'/><Cube currency='CHF' rate='0.9400'/></Cube>"""
DAILY_CSV = "Date, USD, JPY, CHF, \n22 January 2026, 1.0870, 169.00, 0.9400, \n"
HISTORY_CSV = (
    "Date,USD,CYP,CHF,\n2026-01-22,1.0870,0.5850,N/A,\n2026-01-21,1.0800,N/A,0.9400,\n1999-01-04,1.1789,N/A,1.6168,\n"
)


@pytest.fixture(autouse=True)
def _end_of_january(clock_at):
    clock_at("2026-01-31T09:00:00Z")


def xml(**usd_by_day: str) -> str:
    """The ECB's file of some days, each named as `d22`."""
    days = [DAY.format(day=f"2026-01-{day[1:]}", usd=usd) for day, usd in usd_by_day.items()]
    return ENVELOPE.format(days="".join(days))


def zipped(text: str, name: str = "eurofxref-hist.csv") -> str:
    """A file in a zip file, in base64."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return base64.b64encode(buffer.getvalue()).decode()


def rate(office, day: str, rate: str = "0.92", currency: str = "USD"):
    return office.ok("POST", RATES, {"currency": currency, "date": day, "rate": rate})


def known(office, **query: str) -> list[tuple[str, str, str, str]]:
    options = {"params": query} if query else {}
    rows = office.ok("GET", RATES, **options)
    return [(row["currency"], row["date"], row["rate"], row["source"]) for row in rows]


def counts(outcome) -> tuple[int, ...]:
    return tuple(outcome[name] for name in ("new", "known", "changed", "kept"))


def complaints(error) -> dict[str, str]:
    return {detail["field"]: detail["code"] for detail in error["details"]}


def test_a_rate_is_entered_changed_and_deleted_by_hand(acme):
    made = rate(acme, "2026-01-22")
    assert (made["baseCurrency"], made["currency"], made["rate"], made["source"]) == ("EUR", "USD", "0.92", "manual")
    assert acme.ok("GET", f"{RATES}/{made['id']}") == made
    changed = acme.ok("PATCH", f"{RATES}/{made['id']}", {"rate": "0.921"})
    assert (changed["rate"], changed["version"]) == ("0.921", 2)
    error = acme.refused("POST", RATES, {"currency": "USD", "date": "2026-01-22", "rate": "1"}, status=409)
    assert error["message"] == "USD has a rate of 0.921 on 22 Jan 2026."
    acme.ok("DELETE", f"{RATES}/{made['id']}")
    assert known(acme) == []


def test_a_rate_is_of_a_foreign_currency_and_of_a_day_that_has_come(acme):
    body = {"currency": "EUR", "date": "2026-02-01", "rate": "1"}
    error = acme.refused("POST", RATES, body, status=422)
    assert complaints(error) == {"currency": "base_currency", "date": "in_future"}
    error = acme.refused("POST", RATES, body | {"currency": "ZZZ", "date": "2026-01-31"}, status=422)
    assert complaints(error) == {"currency": "unknown_currency"}


def test_rates_are_listed_by_currency_day_and_source(acme):
    rate(acme, "2026-01-21")
    rate(acme, "2026-01-23", "1.06", "CHF")
    acme.ok("POST", IMPORT, {"file": xml(d22="1.0870")})
    assert [row[:2] for row in known(acme)] == [
        ("CHF", "2026-01-23"),
        ("CHF", "2026-01-22"),
        ("USD", "2026-01-22"),
        ("USD", "2026-01-21"),
    ]
    assert known(acme, currency="USD", source="manual") == [("USD", "2026-01-21", "0.92", "manual")]
    assert [row[1] for row in known(acme, dateFrom="2026-01-22", dateTo="2026-01-22")] == ["2026-01-22"] * 2


@pytest.mark.parametrize("file", [xml(d22="1.0870"), DAILY_CSV.replace(" JPY,", "").replace(" 169.00,", "")])
def test_the_daily_file_gives_the_worth_of_one_unit_in_euro(acme, file):
    outcome = acme.ok("POST", IMPORT, {"file": file})
    assert counts(outcome) == (2, 0, 0, 0)
    assert (outcome["currencies"], outcome["dateFrom"], outcome["dateTo"]) == (["CHF", "USD"], *["2026-01-22"] * 2)
    assert sorted(known(acme)) == [  # 1 ÷ 0.94 and 1 ÷ 1.087
        ("CHF", "2026-01-22", "1.063829787234", "ecb"),
        ("USD", "2026-01-22", "0.919963201472", "ecb"),
    ]


def test_another_base_currency_crosses_the_rates(installation):
    zurich = installation.office("Zoe", baseCurrency="CHF")
    zurich.ok("POST", IMPORT, {"file": DAILY_CSV})
    assert sorted(known(zurich)) == [  # 0.94; 0.94 ÷ 169; 0.94 ÷ 1.087
        ("EUR", "2026-01-22", "0.94", "ecb"),
        ("JPY", "2026-01-22", "0.005562130178", "ecb"),
        ("USD", "2026-01-22", "0.864765409384", "ecb"),
    ]


def test_a_base_currency_that_the_bank_does_not_quote_is_told(installation):
    office = installation.office("Zoe", baseCurrency="KWD")
    error = office.refused("POST", IMPORT, {"file": DAILY_CSV}, status=422)
    assert complaints(error) == {"file": "no_base_currency"}


def test_the_same_file_again_changes_nothing(acme):
    file = {"file": xml(d21="1.0800", d22="1.0870")}
    assert counts(acme.ok("POST", IMPORT, file | {"dryRun": True})) == (4, 0, 0, 0)
    assert known(acme) == []
    assert counts(acme.ok("POST", IMPORT, file)) == (4, 0, 0, 0)
    before, events = known(acme), acme.ok("GET", "/workspace/events")
    assert counts(acme.ok("POST", IMPORT, file)) == (0, 4, 0, 0)
    assert (known(acme), acme.ok("GET", "/workspace/events")) == (before, events)
    assert counts(acme.ok("POST", IMPORT, {"file": xml(d22="1.1000", d23="1.0900")})) == (2, 1, 1, 0)
    assert known(acme, currency="USD", dateFrom="2026-01-22", sort="date") == [
        ("USD", "2026-01-22", "0.909090909091", "ecb"),
        ("USD", "2026-01-23", "0.917431192661", "ecb"),
    ]


def test_a_rate_entered_by_hand_stays_and_a_rate_of_the_bank_is_not_changed_by_hand(acme):
    rate(acme, "2026-01-22", "0.9")
    outcome = acme.ok("POST", IMPORT, {"file": xml(d22="1.0870")})
    assert counts(outcome) == (1, 0, 0, 1)
    assert known(acme, currency="USD") == [("USD", "2026-01-22", "0.9", "manual")]
    (chf,) = acme.ok("GET", f"{RATES}?currency=CHF")
    acme.refused("PATCH", f"{RATES}/{chf['id']}", {"rate": "1"}, status=409)
    acme.refused("DELETE", f"{RATES}/{chf['id']}", status=409)


@pytest.mark.parametrize("pack", [str, zipped])
def test_the_history_is_imported_from_the_last_fiscal_year_on_or_from_a_day(acme, pack):
    outcome = acme.ok("POST", IMPORT, {"file": pack(HISTORY_CSV)})
    assert counts(outcome) == (3, 0, 0, 0)  # no Cyprus pound, and nothing of 1999
    assert outcome["dateFrom"] == "2026-01-21"
    outcome = acme.ok("POST", IMPORT, {"file": pack(HISTORY_CSV), "dateFrom": "1999-01-01"})
    assert counts(outcome) == (2, 3, 0, 0)
    assert known(acme, dateTo="1999-12-31", sort="currency")[0] == ("CHF", "1999-01-04", "0.618505690252", "ecb")


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "has a document type"),
        ("<Cube time='2026-01-22'>", "cannot be read"),
        ("<Cube/>", "no rate in the file"),
        ("<C><Cube time='2026-01-32'/></C>", "'2026-01-32' is not a day"),
        ("<C><Cube time='2026-01-22'><Cube currency='USD' rate='0'/></Cube></C>", "'0' is not a rate"),
        ("<C><Cube time='2026-01-22'><Cube currency='USD' rate='1e3'/></Cube></C>", "'1e3' is not a rate"),
        ("Date,USD\n2026-01-22,much\n", "'much' is not a rate"),
        ("Dates,USD\n2026-01-22,1\n", "must be called Date"),
        ("good morning", "Send the text of an XML or CSV file"),
        (zipped("x", "a.txt"), "Send the text of an XML or CSV file"),
        (
            "Date,USD\n2020-01-22,1.1\n",
            "The last date in the file is 22 Jan 2020. Set dateFrom to import dates before 1 Jan 2025.",
        ),
    ],
)
def test_what_is_no_file_of_the_bank_is_refused_whole(acme, file, says):
    error = acme.refused("POST", IMPORT, {"file": file}, status=422)
    assert [detail["field"] for detail in error["details"]] == ["file"]
    assert says in error["details"][0]["message"]
    assert known(acme) == []


def test_a_history_that_is_too_large_says_that_its_zip_file_is_not(acme):
    days = "".join(f"<Cube time='2026-01-22'><Cube currency='USD' rate='1.{n:04}'/></Cube>\n" for n in range(20_000))
    error = acme.refused("POST", IMPORT, {"file": days}, status=413, code="too_large")
    assert error["message"] == (
        "The body is larger than 1 MiB. Send the ECB's zip file of the history (eurofxref-hist.zip) in base64,"
        " which is smaller than the XML or CSV in it."
    )


def test_a_zip_file_that_unpacks_without_end_is_refused(acme):
    error = acme.refused("POST", IMPORT, {"file": zipped("Date,USD\n" + " " * (26 << 20))}, status=422)
    assert "more than 25 MiB" in error["details"][0]["message"]


def test_a_long_history_is_imported_in_parts(acme, monkeypatch):
    monkeypatch.setattr(importing, "MOST", 3)
    assert counts(acme.ok("POST", IMPORT, {"file": HISTORY_CSV})) == (3, 0, 0, 0)
    error = acme.refused("POST", IMPORT, {"file": HISTORY_CSV, "dateFrom": "1999-01-01"}, status=422)
    assert complaints(error) == {"dateFrom": "too_many"}


def test_an_invoice_takes_the_last_rate_up_to_ten_days_before_its_date_and_keeps_it(acme):
    made = rate(acme, "2026-01-12", "0.92")
    rate(acme, "2026-01-23", "0.95")
    body = new_invoice("1000.00", currency="USD", issueDate="2026-01-22")
    assert acme.ok("POST", "/finance/invoices/preview", body)["exchangeRate"] == "0.92"
    shown = acme.ok("POST", "/finance/invoices", body)
    assert shown["exchangeRate"] == "0.92"
    entry = acme.ok("GET", f"/finance/journals/{shown['journalEntryId']}")
    assert entry["total"] == "920.00"
    acme.ok("PATCH", f"{RATES}/{made['id']}", {"rate": "0.5"})
    assert acme.ok("GET", f"/finance/invoices/{shown['id']}")["exchangeRate"] == "0.92"
    given = acme.ok("POST", "/finance/invoices", body | {"exchangeRate": "0.93"})
    assert given["exchangeRate"] == "0.93"


def test_an_old_or_later_rate_does_not_serve_and_the_refusal_says_what_is_missing(acme):
    rate(acme, "2026-01-11")
    rate(acme, "2026-01-23")
    error = acme.refused("POST", "/finance/invoices", new_invoice(currency="USD", issueDate="2026-01-22"), status=422)
    assert error["details"] == [
        {
            "field": "exchangeRate",
            "code": "required",
            "message": (
                "There is no exchange rate of USD from 12 Jan 2026 to 22 Jan 2026. Enter the value of 1 USD in "
                "EUR, or an exchange rate for that date."
            ),
            "params": {"currency": "USD", "first": "2026-01-12", "day": "2026-01-22", "base": "EUR"},
        }
    ]


def test_a_draft_takes_the_rate_of_its_date_when_it_is_issued(acme):
    made = rate(acme, "2026-01-22", "0.92")
    body = new_invoice("1000.00", currency="USD", issueDate="2026-01-22", draft=True)
    draft = acme.ok("POST", "/finance/invoices", body)
    acme.ok("PATCH", f"{RATES}/{made['id']}", {"rate": "0.9"})
    issued = acme.ok("POST", f"/finance/invoices/{draft['id']}/issue")
    assert (draft["exchangeRate"], issued["exchangeRate"]) == ("0.92", "0.9")


def test_a_payment_takes_the_rate_of_its_date(acme):
    rate(acme, "2026-01-22", "0.92")
    rate(acme, "2026-01-30", "0.95")
    sold = acme.ok("POST", "/finance/invoices", new_invoice("1000.00", currency="USD", issueDate="2026-01-22"))
    paid = acme.ok("POST", "/finance/payments", {"invoiceId": sold["id"], "amount": "1000.00"})
    assert (paid["date"], paid["exchangeRate"]) == ("2026-01-31", "0.95")
    assert paid["allocations"][0]["exchangeDifference"] == "30.00"
    body = {"contactId": sold["customerId"], "amount": "5.00", "currency": "USD", "date": "2026-01-21"}
    error = acme.refused("POST", "/finance/payments", body, status=422)
    assert complaints(error) == {"exchangeRate": "required"}


def check(office) -> list[str]:
    with office.acting():
        report = files.workspace_file(control.workspace_path(office.workspace_id))
    return report.problems + report.altered


def test_the_check_knows_the_rates(acme):
    made = rate(acme, "2026-01-22")
    acme.ok("POST", IMPORT, {"file": xml(d21="1.0870")})
    acme.ok("PATCH", f"{RATES}/{made['id']}", {"rate": "0.921"})
    acme.ok("POST", IMPORT, {"file": xml(d21="1.0900")})
    assert check(acme) == []
    with acme.books(write=True):
        WORKSPACE.run("UPDATE exchange_rate SET rate = rate * 2 WHERE source = 'manual'")
    (problem,) = check(acme)
    assert problem.endswith("exchange rate of USD on 2026-01-22: its rate is 1.842, but its event recorded 0.921.")


def in_dollars(day: str = "2026-01-30", **fields):
    """The body of an entry that brings 1,000.00 dollars to the bank."""
    lines = [
        {"accountId": "1010", "currency": "USD", "foreignDebit": "1000.00", **fields},
        {"accountId": "3000", "currency": "USD", "foreignCredit": "1000.00", **fields},
    ]
    return {"date": day, "description": "Capital in dollars", "lines": lines}


def test_a_journal_line_in_a_foreign_currency_alone_takes_the_rate_of_the_date(acme):
    rate(acme, "2026-01-23", "0.96")
    shown = acme.ok("POST", "/finance/journals", in_dollars())
    assert [(line["debit"], line["credit"], line["foreignAmount"]) for line in shown["lines"]] == [
        ("960.00", None, "1000.00"),
        (None, "960.00", "1000.00"),
    ]
    shown = acme.ok("POST", "/finance/journals", in_dollars(exchangeRate="0.5"))
    assert shown["total"] == "500.00"


def test_a_journal_line_without_a_rate_or_with_amounts_beside_is_refused(acme):
    error = acme.refused("POST", "/finance/journals", in_dollars(), status=422)
    assert complaints(error) == dict.fromkeys(["lines[0].exchangeRate", "lines[1].exchangeRate"], "required")
    rate(acme, "2026-01-23", "0.96")
    body = in_dollars()
    body["lines"][0] |= {"debit": "5.00", "foreignAmount": "1.00", "foreignCredit": "2.00"}
    body["lines"][1] |= {"currency": None}
    assert complaints(acme.refused("POST", "/finance/journals", body, status=422)) == {
        **dict.fromkeys(["lines[0].debit", "lines[0].foreignAmount", "lines[0].foreignCredit"], "one_side"),
        "lines[1].currency": "required",
    }
    body = in_dollars(currency="EUR")
    assert set(complaints(acme.refused("POST", "/finance/journals", body, status=422)).values()) == {"base_currency"}
    lines = [{"accountId": "1010", "debit": "5.00", "exchangeRate": "2"}, {"accountId": "3000", "credit": "5.00"}]
    error = acme.refused("POST", "/finance/journals", in_dollars() | {"lines": lines}, status=422)
    assert complaints(error) == {"lines[0].exchangeRate": "not_needed"}
