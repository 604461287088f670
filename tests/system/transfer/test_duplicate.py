"""A copy of a workspace, for trying things out: the same people and books, and nothing that reaches back."""

from pathlib import Path

import pytest

from erp.kernel.errors import NotFound, Refusal
from erp.store import control, router
from erp.store.control import CalendarAddress, Invite, Member, Session, Workspace
from erp.system.checks import files as checking
from erp.system.transfer import duplicating, user_ids
from tests.conftest import Installation, Office
from tests.finance.documents.invoices import invoice
from tests.system.transfer.exports import NOW, Busy, at_the_command_line, tables


def duplicate(office: Office, name: str | None = None) -> str:
    with at_the_command_line(office.installation):
        return duplicating.duplicate(office.workspace_id, name)[0]


def test_a_copy_holds_all_that_the_workspace_holds_under_an_id_of_its_own(installation: Installation, clock_at) -> None:
    clock_at(NOW)
    busy = Busy(installation)
    here = installation.config.workspaces_dir
    copy_id = duplicate(busy.olga)
    router.close_all()
    before, after = tables(here / f"{busy.olga.workspace_id}.db"), tables(here / f"{copy_id}.db")
    assert checking.workspace_file(here / f"{copy_id}.db").problems == []
    ids = {busy.olga.workspace_id: copy_id}
    assert before.pop("idempotency") == after.pop("idempotency") == []
    assert [row for row in after["event"] if row in before["event"]] == before["event"]
    assert len(after.pop("event")) == len(before.pop("event")) + 1
    for name, rows in before.items():
        assert after[name] == sorted([tuple(ids.get(value, value) for value in row) for row in rows], key=repr), name
    assert not any(busy.olga.workspace_id in str(rows) for name, rows in after.items())
    assert "workspace_meta" in user_ids.HISTORY


def test_the_same_people_work_in_a_copy_and_the_original_knows_nothing_of_it(acme: Office) -> None:
    member = acme.colleague("accountant")
    invoice(acme)
    acme.ok("POST", "/workspace/invites", {"email": "invited@example.com", "role": "member"})
    member.ok("POST", "/tasks/calendar-address", {})
    copy_id = duplicate(acme)
    with at_the_command_line(acme.installation), control.read():
        copy = Workspace.find(copy_id)
        assert (copy.name, copy.status) == ("Olga's office (sandbox)", "active")
        for kind in (Invite, CalendarAddress):
            assert kind.select().where(kind.workspace == copy_id).count() == 0
        assert Session.select().where(Session.active_workspace_id == copy_id).count() == 0
    original = acme.workspace_id
    for person in (acme, member):
        person.select(copy_id)
    numbers = [invoice(member)["number"] for _ in range(2)]
    member.select(original)
    assert invoice(member)["number"] == numbers[0]
    assert len(member.ok("GET", "/finance/invoices")) == 2
    roles = [(each["user"]["id"], each["role"]) for each in acme.ok("GET", "/workspace/members")]
    assert sorted(roles) == sorted([(acme.user["id"], "owner"), (member.user["id"], "accountant")])
    assert acme.ok("GET", "/workspace/events/verify")["isValid"] is True
    event = acme.ok("GET", "/workspace/events", params={"type": "workspace.duplicated"})[0]
    assert event["data"] == {"name": "Olga's office (sandbox)", "of": {"id": original, "name": "Olga's office"}}
    assert event["resource"]["id"] == copy_id


def test_a_suspended_member_is_suspended_in_the_copy_too(acme: Office) -> None:
    acme.colleague("member")
    (member,) = (each for each in acme.ok("GET", "/workspace/members") if each["role"] == "member")
    acme.ok("PATCH", f"/workspace/members/{member['id']}", {"status": "suspended"})
    acme.select(duplicate(acme))
    assert [each["status"] for each in acme.ok("GET", "/workspace/members")] == ["suspended", "active"]


@pytest.mark.parametrize("name", ["", " ", "x" * 201])
def test_a_copy_needs_a_name_that_a_workspace_can_have(acme: Office, name: str) -> None:
    with pytest.raises(Refusal, match="A workspace cannot be called"):
        duplicate(acme, name)


def test_a_workspace_of_the_longest_name_can_be_copied(acme: Office) -> None:
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"name": "x" * 200})
    with at_the_command_line(acme.installation):
        assert duplicating.duplicate(acme.workspace_id)[1].endswith("x (sandbox)")


def test_what_is_not_there_is_not_copied(acme: Office) -> None:
    with at_the_command_line(acme.installation), pytest.raises(NotFound, match="There is no workspace 1234"):
        duplicating.duplicate("1234")


@pytest.mark.parametrize("step", ["snapshot.take", "events.write_into", "registration.check"])
def test_a_copy_that_fails_leaves_nothing_behind(acme: Office, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    def fail(*arguments: object) -> None:
        raise OSError("no")

    module, name = step.split(".")
    monkeypatch.setattr(getattr(duplicating, module), name, fail)
    with pytest.raises(OSError, match="no"):
        duplicate(acme)
    with at_the_command_line(acme.installation), control.read():
        assert (Workspace.select().count(), Member.select().count()) == (1, 1)
    folder: Path = acme.installation.config.workspaces_dir
    assert {path.stem for path in folder.iterdir()} == {acme.workspace_id}


def test_an_owner_copies_the_workspace_over_http_and_both_logs_tell(acme: Office) -> None:
    accountant = acme.colleague("accountant")
    original, name = acme.workspace_id, "To try things"
    accountant.refused("POST", f"/workspace/{original}/duplicate", {"name": name}, status=403, code="forbidden")
    acme.refused("POST", f"/workspace/{original}/duplicate", {"name": ""}, status=422)
    mail = {"host": "mail.example.com", "userName": "us@example.com", "password": "a long password"}
    acme.ok("PATCH", "/workspace/mail", mail | {"fromAddress": "us@example.com"})
    acme.ok("POST", "/workspace/webhooks", {"url": "https://example.com/hook"})
    invoice(acme)
    copy = acme.ok("POST", f"/workspace/{original}/duplicate", {"name": name})
    assert (copy["name"], copy["status"], copy["role"]) == (name, "active", "owner")
    into = {"name": name, "into": {"id": copy["id"], "name": name}}
    (event,) = acme.ok("GET", "/workspace/events", params={"type": "workspace.duplicated"})
    assert (event["data"], event["actor"]["id"]) == (into, acme.user["id"])
    acme.select(copy["id"])
    assert len(acme.ok("GET", "/finance/invoices")) == 1
    assert acme.ok("GET", "/workspace/mail")["hasPassword"] is False
    assert [each["isActive"] for each in acme.ok("GET", "/workspace/webhooks")] == [False]
    (event,) = acme.ok("GET", "/workspace/events", params={"type": "workspace.duplicated"})
    assert event["data"]["of"]["id"] == original
    assert acme.ok("GET", "/workspace/events/verify")["isValid"] is True
