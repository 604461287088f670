"""Taking back the recorded payment of a run, and money that came back."""

import pytest

from tests.finance.bank.january import confirm, lines, statement
from tests.finance.books.balances import balances
from tests.hr.payroll.approval.approvals import OWED, PAID, lock, paid
from tests.hr.payroll.payrolls import act, path

pytestmark = pytest.mark.usefixtures("wednesday")

REASON = {"reason": "Wrong account"}


def test_a_payment_is_taken_back_on_its_own_date_and_made_again(acme, draft):
    paid(acme, draft)
    done = acme.ok("POST", path(draft, "pay/undo"), REASON)
    assert (done["status"], done["paidOn"], done["paymentEntryId"], done["bankAccountId"]) == (
        "approved", None, None, None,
    )  # fmt: skip
    mirrors = [entry for entry in acme.ok("GET", "/finance/journals") if entry.get("reversesId")]
    assert [entry["date"] for entry in mirrors] == ["2026-01-31"]
    assert balances(acme) == OWED
    act(acme, draft, "pay")
    assert balances(acme) == PAID
    types = [event["type"] for event in acme.ok("GET", "/workspace/events", params={"resourceId": draft["id"]})]
    assert "payroll_run.payment_undone" in types


def test_only_a_payment_can_be_taken_back_and_only_in_an_open_period(acme, draft):
    act(acme, draft, "approve")
    acme.refused("POST", path(draft, "pay/undo"), REASON, status=409, code="invalid_transition")
    act(acme, draft, "pay")
    lock(acme, "2026-01-31")
    acme.refused("POST", path(draft, "pay/undo"), REASON, status=409, code="period_locked")


def test_a_payment_that_a_bank_line_is_matched_with_stays(acme, draft):
    paid(acme, draft)
    columns = {"date": "date", "amount": "amount", "text": ["text"]}
    file = "date,amount,text\n2026-01-31,-2450.00,Salaries\n"
    mapping = {"columns": columns, "delimiter": ",", "decimalSign": ".", "dateFormat": "YYYY-MM-DD"}
    acme.ok("POST", "/finance/bank/accounts/1010/format", {"csvMapping": mapping})
    statement(acme, file, "1010", openingBalance="5000.00")
    (line,) = lines(acme, "1010")
    confirm(acme, line)
    acme.refused("POST", path(draft, "pay/undo"), REASON, status=409, code="bank_line_matched")


def test_money_comes_back_before_a_payment_that_is_dated_ahead(acme, draft):
    paid(acme, draft, date="2026-03-30")
    done = act(acme, draft, "reverse", moneyReturnedOn="2026-03-11")
    assert done["moneyReturnedOn"] == "2026-03-11"
    assert balances(acme) == {}
