"""Bank files by currency: pain.001, NACHA, a table for BACS, a plain table."""

import pytest

from tests.hr.payroll.payrolls import act, paid_employee, path, payroll_run, salary

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


def test_more_than_six_credits_take_another_block(acme):
    settle(acme, **NACHA)
    made = approved(acme, "USD", *({**NICK, "holder": f"Nick {n}"} for n in range(7)))
    lines = acme.call("GET", path(made, "bank-file")).text.split("\r\n")[:-1]
    assert len(lines) == 20
    assert lines[10][:13] == "9000001000002"
    assert lines[10][21:31] == "0014700014", "7 × 02100002"


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


def test_pounds_are_paid_by_a_table_for_bacs(acme):
    made = approved(acme, "GBP", LIZ)
    answer = acme.call("GET", path(made, "bank-file"))
    assert answer.text.splitlines() == [
        "name,sort_code,account_number,amount,reference",
        "Elizabeth Windsor-,200000,55779911,3000.00,PR-2026-001 EMP-00",
    ]


def test_any_other_currency_is_paid_by_a_plain_table(acme):
    made = approved(acme, "JPY", KIM)
    answer = acme.call("GET", path(made, "bank-file"))
    assert answer.text.splitlines() == [
        "name,iban,amount,currency,date,reference,bank_code,account_number,bic",
        "Kim,,3000,JPY,2026-03-13,PR-2026-001 EMP-0001,0001,1234567,MHCBJPJT",
    ]


def test_another_format_can_be_asked_for(acme):
    made = approved(acme, "USD", NICK)
    answer = acme.call("GET", path(made, "bank-file"), params={"format": "csv"})
    assert answer.text.splitlines()[1].endswith("021000021,123456789,")
