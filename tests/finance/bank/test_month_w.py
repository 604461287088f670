"""The bank of the worked month: seven lines, each with its reason, and a difference that comes down to zero."""

import base64
import io
import zipfile

import pytest

from erp.store import router
from erp.system.checks import files as checking
from tests.finance.bank.january import CAMT, CSV, MAPPING, MT940, confirm, lines, refused, state, statement, text, undo
from tests.finance.documents.invoices import status_and_due
from tests.finance.test_month import Month
from tests.hr.payroll.payrolls import JANUARY, act, paid_employee, payroll_run, salary


@pytest.fixture
def month(acme, clock_at):
    clock_at("2026-01-31T18:00:00Z")
    return acme.once(_month)


def _month(acme):
    """The documents of the month before anything is paid, a paid payroll, and a rule for the bank's fee."""
    month = Month(acme)
    month.take_over()
    month.sell()
    supplies, laptop = month.line("1500.00", "19", accountId="6310"), month.line("1500.00", "19", accountId="0650")
    month.enter("B3", "Elbe Immobilien", "01-15", "01-15", supplies)
    month.enter("B4", "Technik GmbH", "01-14", "01-14", laptop)
    paid_employee(acme, pay=salary("2000.00"))
    run = act(acme, payroll_run(acme, JANUARY), "approve")
    act(acme, run, "pay", date="2026-01-28")
    acme.ok("POST", "/finance/bank/rules", {"text": "Kontoführung", "accountId": "6855"})
    return month


def file_of(acme, name):
    if name == CSV:
        acme.ok("POST", "/finance/bank/accounts/1800/format", {"csvMapping": MAPPING})
    return text(name)


@pytest.mark.parametrize("name", [CAMT, MT940, CSV])
def test_a_statement_brings_its_seven_lines_once(acme, month, name):
    first = statement(acme, file_of(acme, name), dryRun=True)
    assert (first["new"], first["known"], lines(acme)) == (7, 0, [])
    first = statement(acme, file_of(acme, name))
    assert (first["new"], first["known"], first["warnings"]) == (7, 0, [])
    (shown,) = first["statements"]
    assert (shown["opening"], shown["closing"], shown["dateTo"]) == ("10000.00", "6391.02", "2026-01-31")
    assert [line["amount"] for line in lines(acme)] == [
        "1190.00",
        "-595.00",
        "-1785.00",
        "-1785.00",
        "1375.92",
        "-2000.00",
        "-9.90",
    ]
    again = statement(acme, file_of(acme, name))
    assert (again["new"], again["known"], len(lines(acme))) == (0, 7, 7)
    assert len(acme.ok("GET", "/finance/bank/statements")) == 1


def test_the_same_lines_in_another_format_are_known(acme, month):
    statement(acme)
    for name in (MT940, CSV):
        again = statement(acme, file_of(acme, name))
        assert (again["new"], again["known"]) == (0, 7)


def test_a_zip_file_has_the_statement_inside(acme, month):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("january.xml", text())
    path = "/finance/bank/statements/import"
    options = {"params": {"accountId": "1800"}, "headers": {"Content-Type": "application/zip"}}
    answer = acme.call("POST", path, raw=archive.getvalue(), **options)
    assert answer.json["data"]["new"] == 7
    assert statement(acme, base64.b64encode(archive.getvalue()).decode())["known"] == 7


def test_each_line_has_its_reason_and_the_difference_comes_down_to_zero(acme, month):
    statement(acme)
    found = lines(acme)
    assert [line["suggestions"][0]["because"] for line in found] == [
        *["number_and_amount"] * 4,
        "discount",
        "run",
        "rule",
    ]
    before = state(acme)
    assert (before["statementBalance"], before["bookBalance"], before["difference"]) == (
        "6391.02",
        "8000.00",
        "-1608.98",
    )
    assert (before["unmatchedLines"], before["unmatchedEntries"], before["unexplained"]) == (7, 1, "0.00")
    differences = []
    for line in found:
        confirm(acme, line)
        differences.append(state(acme)["difference"])
    # 10,000.00 − 2,000.00 of the payroll = 8,000.00 in the books; each line takes its part of the difference away.
    assert differences == ["-2798.98", "-2203.98", "-418.98", "1366.02", "-9.90", "-9.90", "0.00"]
    after = state(acme)
    assert (after["bookBalance"], after["unmatchedLines"], after["unmatchedEntries"]) == ("6391.02", 0, 0)
    assert (after["unexplained"], after["reconciledThrough"]) == ("0.00", "2026-01-31")
    assert status_and_due(acme, month.documents["R1"]["id"]) == ("paid", "0.00")
    (payment,) = acme.ok("GET", f"/finance/invoices/{month.documents['R1']['id']}")["deductions"]
    assert payment["amount"] == "28.08"
    assert {line["status"] for line in lines(acme)} == {"matched"}
    router.close_all()
    path = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    assert checking.workspace_file(path, nobody_writes=True).problems == []


def test_what_was_confirmed_can_be_taken_back(acme, month):
    statement(acme)
    before = state(acme)
    for line in lines(acme):
        confirm(acme, line)
    for line in reversed(lines(acme)):
        shown = undo(acme, line, reason="Wrong account")
        assert (shown["status"], shown["matches"], shown["can"]) == ("unmatched", [], ["confirm"])
    after = state(acme)
    assert {name: after[name] for name in after if name != "iban"} == {
        name: before[name] for name in before if name != "iban"
    }
    assert status_and_due(acme, month.documents["R1"]["id"]) == ("issued", "1404.00")
    for line in lines(acme):
        confirm(acme, line)
    assert state(acme)["difference"] == "0.00"


def test_opening_and_lines_must_come_to_the_closing_balance(acme, month):
    wrong = text().replace(">1375.92<", ">1375.90<")
    error = refused(acme, wrong)
    assert error["code"] == "balances_differ"
    assert "6,391.00 EUR" in error["message"]
    assert "6,391.02 EUR" in error["message"]
    assert lines(acme) == []


def test_a_locked_period_refuses_what_would_be_posted_in_it(acme, month):
    statement(acme)
    acme.ok("POST", "/finance/periods/lock", {"throughDate": "2026-01-31", "reason": "Closed"})
    first, *_, payroll, _ = lines(acme)
    path = f"/finance/bank/lines/{first['id']}/confirm"
    acme.refused("POST", path, {}, status=409, code="period_locked")
    assert lines(acme)[0]["status"] == "unmatched"
    assert confirm(acme, payroll)["status"] == "matched"  # its entry is in the books already
