"""Several workspaces of one owner as one."""

import pytest

from tests.finance.contacts.contacts import customer, supplier
from tests.finance.documents.invoices import bill, invoice, line
from tests.finance.journals.journals import entry
from tests.refusals import complaint

PATH = "/workspace/consolidated"
DAYS = {"date": "2026-06-30"}


@pytest.fixture(autouse=True)
def _in_july(clock_at):
    clock_at("2026-07-10T09:00:00Z")


@pytest.fixture
def pair(acme):
    """The ids of two workspaces of one owner; the first is selected."""
    other = acme.ok("POST", "/workspace", {"name": "Acme Sales", "country": "DE", "chartTemplate": "standard"})
    acme.select(acme.workspace_id)
    return acme.workspace_id, other["id"]


def in_workspace(office, id, act):
    """Act in a workspace, and return to the one that was selected."""
    before = office.workspace_id
    office.select(id)
    try:
        return act()
    finally:
        office.select(before)


def shown(office, ids, **more):
    """The rows of a consolidation by code or key, each with its figures by column."""
    report = office.ok("GET", PATH, params={"workspaceIds": ",".join(ids), **DAYS, **more})
    return {
        row["code"] or row["key"]: {name: cell["value"] for name, cell in row["cells"].items()}
        for row in report["rows"]
    }


def owing(office, pair, booked):
    """The first workspace owes the second 1,190.00, of which it has booked so much."""
    first, second = pair
    group = supplier(office, groupWorkspaceId=second)
    bill(office, line(booked, accountId="6100", taxRateId=None), supplierId=group["id"], issueDate="2026-06-01")

    def sell():
        buyer = customer(office, groupWorkspaceId=first)
        invoice(office, line("1190.00", taxRateId=None), customerId=buyer["id"], issueDate="2026-06-01")
        invoice(office, line("50.00", taxRateId=None), customerId=customer(office)["id"], issueDate="2026-06-01")

    in_workspace(office, second, sell)


def test_what_two_workspaces_owe_each_other_is_left_out(acme, pair):
    """BK-9: A owes B 1,190.00: −1,190.00 in both."""
    owing(acme, pair, "1190.00")
    rows, (first, second) = shown(acme, pair), pair
    assert rows["1100"] == {first: "0.00", second: "1240.00", "eliminations": "-1190.00", "total": "50.00"}
    assert rows["2000"] == {first: "1190.00", second: "0.00", "eliminations": "-1190.00", "total": "0.00"}
    assert rows["6100"] == {first: "1190.00", second: "0.00", "eliminations": "0.00", "total": "1190.00"}
    assert rows["elimination_difference"] == {"eliminations": "0.00", "total": "0.00"}


def test_what_one_has_not_booked_does_not_cancel(acme, pair):
    """BK-9: A booked 1,000.00: difference 190.00."""
    owing(acme, pair, "1000.00")
    rows = shown(acme, pair)
    assert rows["2000"]["eliminations"] == "-1000.00"
    assert rows["elimination_difference"]["total"] == "190.00"
    assert shown(acme, pair[:1])["2000"]["eliminations"] == "0.00"


def test_accounts_between_workspaces_are_left_out(acme, pair):
    owing(acme, pair, "1190.00")

    def mark(code):
        accounts = {each["code"]: each for each in acme.ok("GET", "/finance/accounts")}
        changed = acme.ok("PATCH", f"/finance/accounts/{accounts[code]['id']}", {"isIntercompany": True})
        assert changed["isIntercompany"]

    mark("6100")
    in_workspace(acme, pair[1], lambda: mark("4000"))
    rows = shown(acme, pair)
    assert (rows["6100"]["total"], rows["4000"]["eliminations"]) == ("0.00", "-1240.00")
    assert rows["elimination_difference"]["total"] == "-50.00"


def test_only_receivables_and_payables_of_contacts_are_left_out(acme, pair):
    group = supplier(acme, groupWorkspaceId=pair[1])
    lines = [
        {"accountId": "6400", "debit": "80.00", "contactId": group["id"]},
        {"accountId": "1010", "credit": "80.00"},
    ]
    entry(acme, day="2026-06-01", lines=lines)
    rows = shown(acme, pair)
    assert (rows["6400"]["eliminations"], rows["6400"]["total"]) == ("0.00", "80.00")


def test_income_counts_from_a_day_and_earlier_years_are_one_row(acme, pair):
    owing(acme, pair, "1190.00")
    rows = shown(acme, pair, dateFrom="2026-06-02")
    assert "6100" not in rows
    assert {name: rows["earlier_years"][name] for name in (*pair, "total")} == {
        pair[0]: "-1190.00",
        pair[1]: "1240.00",
        "total": "50.00",
    }


def test_it_shows_all_of_mine_and_is_a_file(acme, pair):
    report = acme.ok("GET", PATH, params={**DAYS, "language": "de"})
    assert {each["id"] for each in report["workspaces"]} == {*pair}
    assert (report["title"], report["currency"]) == ("Konsolidierung", "EUR")
    for format, start in (("csv", b""), ("xlsx", b"PK"), ("pdf", b"%PDF")):
        answer = acme.call("GET", PATH, params={**DAYS, "format": format})
        assert (answer.status_code, answer.content[: len(start)]) == (200, start)


def test_an_archived_workspace_is_shown_only_when_it_is_named(acme, pair):
    acme.ok("POST", f"/workspace/{pair[1]}/archive")
    own = acme.ok("GET", PATH, params=DAYS)["workspaces"]
    both = acme.ok("GET", PATH, params={"workspaceIds": ",".join(pair), **DAYS})["workspaces"]
    assert ([each["id"] for each in own], {each["id"] for each in both}) == ([pair[0]], {*pair})


def test_only_who_may_read_the_books_of_each_sees_them(acme, pair, stranger):
    theirs = {"workspaceIds": f"{acme.workspace_id},{stranger.workspace_id}"}
    acme.refused("GET", PATH, params=theirs, status=403, code="not_a_member")
    member = acme.colleague("member")
    member.refused("GET", PATH, params={"workspaceIds": acme.workspace_id}, status=403, code="forbidden")
    member.refused("GET", PATH, status=400, code="bad_parameter")
    many = ",".join(f"{number:036d}" for number in range(11))
    acme.refused("GET", PATH, params={"workspaceIds": many}, status=400, code="bad_parameter")


def test_books_in_two_currencies_are_not_added_up(acme):
    other = acme.ok("POST", "/workspace", {"name": "Acme Inc", "baseCurrency": "USD", "chartTemplate": "standard"})
    acme.select(acme.workspace_id)
    ids = f"{acme.workspace_id},{other['id']}"
    acme.refused("GET", PATH, params={"workspaceIds": ids}, status=422, code="currencies_differ")


def test_a_contact_is_another_workspace_of_ones_own(acme, pair, stranger):
    contact = customer(acme, groupWorkspaceId=pair[1])
    assert contact["groupWorkspaceId"] == pair[1]
    for id in (acme.workspace_id, stranger.workspace_id, "none"):
        body = {"kind": "customer", "name": "Initech", "groupWorkspaceId": id}
        refusal = acme.refused("POST", "/finance/contacts", body, status=422)
        assert complaint(refusal) == ("groupWorkspaceId", "unknown_reference")
    assert (
        acme.ok("PATCH", f"/finance/contacts/{contact['id']}", {"groupWorkspaceId": None})["groupWorkspaceId"] is None
    )
