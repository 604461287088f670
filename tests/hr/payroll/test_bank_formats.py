"""Bank files by currency: pain.001, NACHA, a table for BACS, a plain table."""

import pytest

from tests.hr.payroll.payrolls import act, paid_employee, path, payroll_run, salary
from tests.refusals import complaint

pytestmark = pytest.mark.usefixtures("wednesday")

NICK = {"holder": "Nick Müller", "routingNumber": "021000021", "accountNumber": "123456789"}
NORA = {"holder": "Nora", "routingNumber": "121000358", "accountNumber": "55", "accountType": "savings"}
LIZ = {"holder": "Elizabeth Windsor-Mountbatten", "sortCode": "20-00-00", "accountNumber": "55779911"}
KIM = {"holder": "Kim", "country": "JP", "bankCode": "0001", "accountNumber": "1234567", "bic": "MHCBJPJT"}
NACHA = {"nacha": {"companyId": "1234567890", "originatingRouting": "021000021"}}


def approved(office, currency, *accounts, **fields):
    for account in accounts:
        paid_employee(office, account["holder"], salary("3000", currency=currency), bankAccount=account)
    made = payroll_run(office, currency=currency, payDate="2026-03-13", **fields)
    act(office, made, "approve", exchangeRate="0.9")
    return made


def settle(office, **fields):
    return office.ok("PATCH", f"/workspace/{office.workspace_id}", fields)


def test_dollars_are_paid_by_nacha(acme):
    assert settle(acme, legalName="Acme Größe Inc.", **NACHA)["nacha"] == NACHA["nacha"]
    made = approved(acme, "USD", NICK, NORA)
    answer = acme.call("GET", path(made, "bank-file"))
    assert answer.headers["content-type"] == "text/plain; charset=us-ascii"
    assert "PR-2026-001.ach" in answer.headers["content-disposition"]
    lines = answer.text.split("\r\n")[:-1]
    assert {len(line) for line in lines} == {94}
    assert len(lines) == 10
    header, batch, nick, nora, batch_end, end, *filler = lines
    assert header.startswith("101 0210000211234567890260311")
    assert header[33:40] == "A094101"
    assert header[63:86] == "Acme Groesse Inc.".ljust(23)
    assert batch == (
        "5220" + "Acme Groesse Inc".ljust(16) + " " * 20 + "1234567890PPD" + "PAYROLL   " + "260313260313   1"
        "02100002" + "0000001"
    )
    assert nick == (
        "622" + "021000021" + "123456789".ljust(17) + "0000300000" + "EMP-0001".ljust(15) + "Nick Mueller".ljust(22)
        + "  0" + "02100002" + "0000001"
    )  # fmt: skip
    assert (nora[:3], nora[3:12], nora[-7:]) == ("632", "121000358", "0000002")
    # 02100002 + 12100035 = 14200037
    sums = "0014200037" + "000000000000" + "000000600000"
    assert batch_end == "8220000002" + sums + "1234567890" + " " * 25 + "02100002" + "0000001"
    assert end == "9000001" + "000001" + "00000002" + sums + " " * 39
    assert set(filler) == {"9" * 94}


# The fields of each record: names with the column of their first sign, from 1. A field ends where the next begins.
# Source: NACHA Operating Rules, appendix three, "ACH record format specifications".
LAYOUTS = {
    "1": "type 1 priority 2 destination 4 origin 14 date 24 time 30 modifier 34 size 35 blocking 38 format 40 to 41"
    " by 64 reference 87",
    "5": "type 1 service 2 company 5 data 21 company_id 41 class 51 purpose 54 told 64 effective 70 settled 76"
    " status 79 bank 80 batch 88",
    "6": "type 1 code 2 bank 4 check 12 account 13 amount 30 number 40 name 55 data 77 addenda 79 trace 80",
    "8": "type 1 service 2 entries 5 hash 11 debit 21 credit 33 company_id 45 mac 55 reserved 74 bank 80 batch 88",
    "9": "type 1 batches 2 blocks 8 entries 14 hash 22 debit 32 credit 44 reserved 56",
}
WEIGHTS = [3, 7, 1] * 3


def record(line):
    words = LAYOUTS[line[0]].split()
    columns = [int(column) - 1 for column in words[1::2]]
    return {name: line[a:b] for name, a, b in zip(words[::2], columns, [*columns[1:], 94], strict=True)}


def checked(text):
    """The entries of a NACHA file with one batch, held against the published layout."""
    lines = text.removesuffix("\r\n").split("\r\n")
    assert all(len(line) == 94 and line.isascii() for line in lines)
    assert len(lines) % 10 == 0
    records = [record(line) for line in lines if line != "9" * 94]
    assert lines[len(records) :] == ["9" * 94] * (len(lines) - len(records)), "fillers come last"
    header, batch, *entries, batch_end, end = records
    assert "".join(one["type"] for one in records) == "15" + "6" * len(entries) + "89"
    assert [header[name] for name in ("priority", "size", "blocking", "format")] == ["01", "094", "10", "1"]
    assert header["destination"][0] == " "
    assert (batch["class"], batch["status"], batch["settled"]) == ("PPD", "1", "   ")
    assert batch["service"] == batch_end["service"] == "220", "credits only"
    assert (batch["company_id"], batch["bank"], batch["batch"]) == tuple(
        batch_end[name] for name in ("company_id", "bank", "batch")
    )
    for index, entry in enumerate(entries, start=1):
        weighed = sum(
            int(digit) * weight for digit, weight in zip(entry["bank"] + entry["check"], WEIGHTS, strict=True)
        )
        assert weighed % 10 == 0
        assert entry["trace"] == batch["bank"] + f"{index:07}"
        assert (entry["code"] in ("22", "32"), entry["addenda"]) == (True, "0")
    hashed = f"{sum(int(entry['bank']) for entry in entries):010}"[-10:]
    total = sum(int(entry["amount"]) for entry in entries)
    for control in (batch_end, end):
        assert (int(control["entries"]), control["hash"]) == (len(entries), hashed)
        assert (int(control["debit"]), int(control["credit"])) == (0, total)
    assert (int(end["batches"]), int(end["blocks"])) == (1, len(lines) // 10)
    return header, batch, entries


@pytest.mark.parametrize(("people", "lines"), [(6, 10), (7, 20)])
def test_a_file_keeps_to_the_published_layout(acme, people, lines):
    settle(acme, nacha={"companyId": "12345", "originatingRouting": "121000358"})
    made = approved(acme, "USD", *({**NICK, "holder": f"Nick {n}"} for n in range(people - 1)), NORA)
    text = acme.call("GET", path(made, "bank-file")).text
    assert text.count("\r\n") == lines
    header, batch, entries = checked(text)
    assert (header["origin"], header["destination"]) == ("     12345", " 121000358")
    assert batch["company_id"] == "12345     "
    assert {entry["amount"] for entry in entries} == {"0000300000"}
    assert [(entries[at]["code"], entries[at]["account"].rstrip()) for at in (0, -1)] == [
        ("22", "123456789"),
        ("32", "55"),
    ]


def test_a_file_bears_the_time_of_the_office(acme, clock_at):
    settle(acme, timeZone="America/New_York", **NACHA)
    made = approved(acme, "USD", NICK)
    clock_at("2026-03-12T02:30:00Z")
    header, *_ = checked(acme.call("GET", path(made, "bank-file")).text)
    assert (header["date"], header["time"]) == ("260311", "2230")


def test_an_account_number_that_a_file_would_cut_is_refused(acme):
    body = {"name": "Nick", "hireDate": "2026-01-01", "bankAccount": {**NICK, "accountNumber": "1" * 18}}
    error = acme.refused("POST", "/hr/employees", body, status=422)
    assert complaint(error) == ("bankAccount.accountNumber", "too_long")


def test_bacs_takes_few_signs(acme):
    made = approved(acme, "GBP", {**LIZ, "holder": "Zoë O'Neil (Ltd)"})
    assert acme.call("GET", path(made, "bank-file")).text.splitlines()[1].startswith("Zoe O Neil  Ltd,200000,")


def test_nacha_needs_the_settings_and_everyones_routing_number(acme):
    made = approved(acme, "USD", NICK, LIZ)
    acme.refused("GET", path(made, "bank-file"), status=409, code="nacha_missing")
    settle(acme, **NACHA)
    error = acme.refused("GET", path(made, "bank-file"), status=409, code="missing_accounts")
    assert LIZ["holder"] in error["message"]
    acme.refused(
        "PATCH",
        f"/workspace/{acme.workspace_id}",
        {"nacha": {**NACHA["nacha"], "originatingRouting": "021000022"}},
        status=422,
    )


TABLES = {
    "GBP": (
        LIZ,
        "name,sort_code,account_number,amount,reference",
        "Elizabeth Windsor-,200000,55779911,3000.00,PR-2026-001",
    ),
    "JPY": (
        KIM,
        "name,iban,amount,currency,date,reference,bank_code,account_number,bic",
        "Kim,,3000,JPY,2026-03-13,PR-2026-001 EMP-0001,0001,1234567,MHCBJPJT",
    ),
}


@pytest.mark.parametrize(("currency", "table"), TABLES.items(), ids=TABLES)
def test_pounds_are_paid_by_a_table_for_bacs_and_other_currencies_by_a_plain_one(acme, currency, table):
    account, *rows = table
    answer = acme.call("GET", path(approved(acme, currency, account), "bank-file"))
    assert answer.text.splitlines() == rows


def test_another_format_can_be_asked_for(acme):
    made = approved(acme, "USD", NICK)
    answer = acme.call("GET", path(made, "bank-file"), params={"format": "csv"})
    assert answer.text.splitlines()[1].endswith("021000021,123456789,")
