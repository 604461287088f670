"""Erasing a user: they leave the workspace, which calls them by an alias; the books keep their authors."""

import zipfile

import pytest

from erp.desk.privacy import redaction
from erp.system.transfer import exporting
from tests.desk.privacy.people import amounts, days, erase, events, findings, hired, left, traces
from tests.finance.documents.invoices import invoice

PATH = "/workspace/people/user/{}/erase"


@pytest.fixture
def mia(acme, clock_at):
    """A member named Member, who has made a task and a token."""
    clock_at("2026-03-02T09:00:00Z")
    mia = acme.colleague("member")
    mia.ok("POST", "/tasks", {"title": "Sweep"})
    mia.ok("POST", "/auth/tokens", {"name": f"Phone of {mia.email}", "workspaceId": mia.workspace_id})
    return mia


def test_a_user_leaves_and_is_named_by_an_alias(acme, mia):
    id = mia.user["id"]
    done = erase(acme, "user", id)
    name = f"Person {id[-4:].upper()}"
    assert done["name"] == name
    assert mia.call("GET", "/auth/session").status_code == 401
    assert [member["user"]["name"] for member in acme.ok("GET", "/workspace/members")] == [acme.user["name"]]
    (task,) = acme.ok("GET", "/tasks")
    assert task["createdByName"] == name
    assert traces(acme, mia.email) == set()
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]
    assert findings(acme) == []
    assert events(acme, "task.created")[0]["actor"]["name"] == "erased"


def test_a_dry_run_leaves_the_user_where_they_are(acme, mia):
    erase(acme, "user", mia.user["id"], dry_run=True)
    assert mia.ok("GET", "/auth/session")["user"]["email"] == mia.email


def test_an_erasure_that_fails_leaves_the_user_where_they_are(acme, mia, monkeypatch):
    def fail(_blanked):
        raise OSError

    monkeypatch.setattr(redaction, "write", fail)
    with pytest.raises(AssertionError, match="internal_error"):
        acme.call("POST", PATH.format(mia.user["id"]), {"reason": "Asked"})
    assert mia.ok("GET", "/auth/session")["user"]["email"] == mia.email


def test_an_account_that_another_workspace_needs_stays(acme, mia):
    own = mia.ok("POST", "/workspace", {"name": "Mia alone", "baseCurrency": "EUR"})
    shown = erase(acme, "user", mia.user["id"], dry_run=True)
    assert amounts(shown["keeps"]) == {"account": 1}
    erase(acme, "user", mia.user["id"])
    mia.select(own["id"])
    assert mia.ok("GET", "/auth/session")["user"]["email"] == mia.email
    (task,) = acme.ok("GET", "/tasks")
    assert task["createdByName"] == f"Person {mia.user['id'][-4:].upper()}"


def test_a_workspace_that_moves_elsewhere_takes_the_alias_along(acme, mia, tmp_path):
    mia.ok("POST", "/workspace", {"name": "Mia alone", "baseCurrency": "EUR"})
    erase(acme, "user", mia.user["id"])
    with acme.acting(), zipfile.ZipFile(exporting.export(acme.workspace_id, tmp_path)) as zipped:
        manifest = zipped.read("manifest.json").decode()
    assert acme.user["name"] in manifest
    assert mia.user["name"] not in manifest


def test_the_books_keep_their_author(acme, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    adam = acme.colleague("accountant")
    customer = adam.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Alster"})
    invoice(adam, customerId=customer["id"])
    shown = erase(acme, "user", adam.user["id"], dry_run=True)
    assert days(shown["keeps"]) == {"books": "2036-12-31"}
    erase(acme, "user", adam.user["id"])
    (issued,) = events(acme, "invoice.issued")
    (added,) = events(acme, "contact.created")
    assert (issued["actor"]["name"], added["actor"]["name"]) == (adam.user["name"], "erased")
    assert findings(acme) == []


def test_the_last_owner_and_oneself_are_not_erased(acme, mia):
    body, own = {"reason": "Asked"}, PATH.format(acme.user["id"])
    admin = acme.colleague("admin")
    admin.refused("POST", own, body, status=403, code="forbidden")
    acme.refused("POST", own, body, status=409, code="last_owner")
    acme.colleague("owner")
    acme.refused("POST", own, body, status=403, code="own_erasure")


def test_whoever_is_employed_here_is_not_erased_as_a_user(acme, mia, clock_at):
    eve = hired(acme, userId=mia.user["id"])
    acme.refused("POST", PATH.format(mia.user["id"]), {"reason": "Asked"}, status=409, code="still_employed")
    left(acme, eve, "2026-03-02")
    clock_at("2026-03-03T09:00:00Z")
    assert erase(acme, "user", mia.user["id"], dry_run=True)["kind"] == "user"
