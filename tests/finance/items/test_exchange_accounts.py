"""Realised exchange differences: gains and losses on two accounts, in older workspaces on the one they have."""

import pytest

from erp.store import control, recorded
from erp.store.router import WORKSPACE
from erp.system.checks import files
from tests.finance.books.balances import balances
from tests.finance.documents.invoices import invoice
from tests.finance.payments.payments import payment

KEYS = ("realised_exchange_gains", "realised_exchange_losses")


def paid_abroad(office) -> None:
    """Two invoices over 1,000.00 dollars at 0.92, paid at 0.95 and at 0.90."""
    for rate in ("0.95", "0.90"):
        sold = invoice(office, "1000.00", currency="USD", exchangeRate="0.92")
        payment(office, "1000.00", invoiceId=sold["id"], exchangeRate=rate)


def default_accounts(office) -> dict[str, str]:
    shown: dict[str, str] = office.ok("GET", f"/workspace/{office.workspace_id}")["defaultAccounts"]
    return shown


def ids(office) -> dict[str, str]:
    return {account["code"]: account["id"] for account in office.ok("GET", "/finance/accounts")}


@pytest.fixture
def older(acme):
    """Olga's workspace as one of an earlier version: it has the account of exchange differences alone."""
    with acme.books(write=True):
        for key in KEYS:
            WORKSPACE.run("DELETE FROM default_account WHERE key = ?", (key,))
            recorded.note_removed("default_account", key)
    return acme


def test_gains_and_losses_have_an_account_each(acme):
    paid_abroad(acme)
    assert balances(acme) == {"1010": 185_000, "4000": -184_000, "4920": -3_000, "6910": 2_000}


def test_a_workspace_may_choose_others(acme):
    chosen = {KEYS[0]: "4800", KEYS[1]: "6900"}
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"defaultAccounts": chosen})
    assert {key: ids(acme)[code] for key, code in chosen.items()}.items() <= default_accounts(acme).items()
    paid_abroad(acme)
    assert balances(acme) == {"1010": 185_000, "4000": -184_000, "4800": -3_000, "6900": 2_000}


def test_an_older_workspace_posts_both_to_its_account_of_exchange_differences_until_it_chooses(older):
    exchange = ids(older)["4900"]
    assert [default_accounts(older)[key] for key in KEYS] == [exchange] * 2
    paid_abroad(older)
    assert balances(older) == {"1010": 185_000, "4000": -184_000, "4900": -1_000}
    older.ok("PATCH", f"/workspace/{older.workspace_id}", {"defaultAccounts": {KEYS[0]: "4800"}})
    assert [default_accounts(older)[key] for key in KEYS] == [ids(older)["4800"], exchange]
    paid_abroad(older)
    assert balances(older) == {"1010": 370_000, "4000": -368_000, "4800": -3_000, "4900": 1_000}
    with older.acting():
        report = files.workspace_file(control.workspace_path(older.workspace_id))
    assert [*report.problems, *(each for each in report.altered if KEYS[1] not in each)] == []
