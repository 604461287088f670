"""The main job, by the specified endpoints alone: an office signs in, invoices, is paid, and reads a balance sheet."""

from typing import Any

import pytest

from tests.conftest import PASSWORD, Installation


@pytest.mark.parametrize("sign_in", ["/auth/sign-in/email", "/auth/login"])
def test_from_an_empty_folder_to_a_balance_sheet_that_balances(installation: Installation, sign_in: str) -> None:
    def ok(verb: str, path: str, body: Any = None) -> Any:
        answer = installation.call(verb, path, body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        return answer.json["data"]

    headers: dict[str, str] = {}
    who = {"email": "olga@example.com", "password": PASSWORD}
    ok("POST", "/auth/register", {**who, "name": "Olga"})
    session = ok("POST", sign_in, who)["session"]
    assert session["activeWorkspaceId"] is None
    headers = {"Authorization": f"Bearer {session['token']}"}

    workspace = ok("POST", "/workspace", {"name": "Acme", "baseCurrency": "EUR"})
    chosen = ok("POST", "/auth/select-workspace", {"workspaceId": workspace["id"]})
    assert chosen["workspace"]["role"] == "owner"
    assert [each["id"] for each in ok("GET", "/workspace")] == [workspace["id"]]

    accounts = {each["code"]: each["id"] for each in ok("GET", "/finance/accounts")}
    line = {"description": "Consulting", "quantity": "3", "unitPrice": "150.00", "accountId": accounts["4100"]}
    invoice = ok("POST", "/finance/invoices", {"customer": {"name": "Initech"}, "lines": [line]})
    assert (invoice["status"], invoice["total"], invoice["amountDue"]) == ("issued", "450.00", "450.00")
    payment = ok("POST", "/finance/payments", {"invoiceId": invoice["id"], "amount": "450.00"})
    assert payment["unallocatedAmount"] == "0.00"
    paid = ok("GET", f"/finance/invoices/{invoice['id']}")
    assert (paid["status"], paid["amountDue"]) == ("paid", "0.00")
    ok(
        "POST",
        "/finance/journals",
        {
            "date": invoice["issueDate"],
            "description": "Owner pays in",
            "lines": [
                {"accountId": accounts["1010"], "debit": "1000.00"},
                {"accountId": accounts["3000"], "credit": "1000.00"},
            ],
        },
    )
    sheet = ok("GET", "/finance/reports/balance-sheet")
    assert sheet["isBalanced"] is True
    assert sheet["totalAssets"] == sheet["totalLiabilitiesAndEquity"] == "1450.00"
    assert sheet["equity"]["currentYearEarnings"] == "450.00"

    ok("POST", "/auth/logout")
    assert installation.call("GET", "/workspace", headers=headers).status_code == 401
