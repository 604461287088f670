"""The made-up company on days when a month, a year or a week begins or ends."""

import os
from datetime import date, timedelta

import pytest

from erp.system.checks import files as checking
from tests.conftest import IS_THOROUGH
from tests.demo.company import made_on

AWKWARD = ["2026-12-31T23:30:00+00:00", "2026-12-01T05:00:00+00:00"]
"""Half an hour after a new year at the office; a day on which the bank's statement has the payment of a claim."""

if (
    IS_THOROUGH
):  # half an hour before it, a leap day that is a Sunday, and others; `test_company` is of a month's last day
    AWKWARD += ["2026-12-31T22:30:00+00:00", "2032-02-29T12:00:00+00:00"]
    AWKWARD += ["2026-04-01T05:00:00+00:00", "2026-04-30T05:00:00+00:00", "2027-02-28T05:00:00+00:00"]

FURTHER = int(os.environ.get("TRY_DEMO_DAYS", "0"))
"""How many more days to try, eleven days apart."""
AWKWARD += [f"{date(2026, 1, 1) + timedelta(days=11 * n)}T05:00:00+00:00" for n in range(FURTHER)]


@pytest.mark.thorough
@pytest.mark.parametrize("instant", AWKWARD)
def test_it_can_be_created_on_any_day(instant, tmp_path, monkeypatch):
    company = made_on(instant, tmp_path / "data", monkeypatch)
    assert company.owner.get("/finance/reports/balance-sheet")["isBalanced"]
    assert company.owner.get("/workspace/events/verify")["isValid"]
    (books,) = company.folder.glob("workspaces/*.db")
    assert checking.workspace_file(books).findings == []
    assert [sum(company.balances(day).values()) for day in company.month_ends()] == [0] * 13
    assert not any(one["isChanged"] for one in company.owner.get("/finance/tax-returns"))
    assert min(company.balances(day)["1010"] for day in company.month_ends()) > 0
    states = {invoice["status"] for invoice in company.invoices()}
    assert states == {"draft", "issued", "partially_paid", "paid", "void"}
    assert any(invoice["isOverdue"] for invoice in company.invoices())
    assert {leave["status"] for leave in company.owner.get("/hr/leaves?limit=100")} >= {
        "approved",
        "pending",
        "rejected",
    }
    runs = company.owner.get("/hr/payroll/runs?limit=50")
    assert sorted(run["status"] for run in runs) == ["draft", *["paid"] * 12]
    columns = {task["status"] for task in company.owner.get("/tasks?limit=200")}
    assert columns == {"todo", "in_progress", "review", "blocked", "done"}
