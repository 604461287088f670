"""Sample data: made from a story, out of which nothing goes, and deleted with all that it has."""

import threading
import zipfile

import pytest

from erp.cli import main
from erp.demo import sample, scenario
from erp.demo.player import NotPlayed
from erp.kernel import config
from erp.store import control, router
from erp.store.control import Member, Outbox, Session, User, Workspace
from erp.store.records import new_id
from erp.system.backups import apply, backups
from erp.workspace import samples
from tests.conftest import IS_THOROUGH, Installation
from tests.demo.small import SMALL

URL = "https://hooks.example.com/"
NEW = {"name": "To look around", "isSample": True}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A story of a few entries in place of the real one."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL, "utf-8")
    monkeypatch.setattr(scenario, "SCENARIO", path)


@pytest.fixture
def olga(acme, small):
    """Olga, in a workspace with sample data; she can go back to her own."""
    acme.own = acme.workspace_id
    made = acme.call("POST", "/workspace", NEW)
    assert (made.status_code, made.headers["Location"]) == (201, f"/api/v1/workspace/{made.json['data']['id']}")
    acme.sample = made.json["data"]["id"]
    acme.select(acme.sample)
    return acme


def names(office):
    return [row["name"] for row in office.ok("GET", "/workspace")]


def remains(office):
    """All that the data folder has of a sample."""
    folder = office.installation.config.data_dir
    files = [path.name for path in folder.rglob("*") if office.sample in path.name]
    return files + [path.name for path in samples_folder(office).glob("*")]


def samples_folder(office):
    with config.use(office.installation.config):
        return samples.folder()


def test_a_sample_has_the_story_and_its_maker_alone(olga, capsys):
    shown = olga.ok("GET", f"/workspace/{olga.workspace_id}")
    assert (shown["name"], shown["isSample"], shown["role"], shown["legalName"]) == (
        *("To look around", True, "owner"),
        "Small & Sons GmbH",
    )
    assert [(one["name"], one["isSample"]) for one in olga.ok("GET", "/auth/session")["workspaces"]] == [
        ("Olga's office", False),
        ("To look around", True),
    ]
    assert [member["user"]["name"] for member in olga.ok("GET", "/workspace/members")] == ["Olga"]
    with config.use(olga.installation.config), control.read():
        assert [user.name for user in User.select()] == ["Olga"]
    people = {one["name"]: one["userId"] for one in olga.ok("GET", "/hr/employees")}
    assert people.keys() == {"Ada Small", "Ben Tall"}
    assert people["Ada Small"] == olga.user["id"]
    assert olga.ok("GET", "/hr/me")["employee"]["name"] == "Ada Small"
    (invoice,) = olga.ok("GET", "/finance/invoices")
    assert (invoice["status"], invoice["subtotal"], invoice["customerName"]) == ("issued", "500.00", "Hansen")
    assert olga.ok("GET", "/workspace/messages") == []
    actors = {event["actor"]["name"] for event in olga.ok("GET", "/workspace/events?limit=200")}
    assert actors >= {"Ada Small", "Ben Tall", "Olga"}
    olga.refused("PATCH", f"/workspace/{olga.workspace_id}", {"isSample": False}, status=422, code="validation_failed")
    assert olga.ok("PATCH", f"/workspace/{olga.workspace_id}", {"isSample": True, "name": "Trial"})["name"] == "Trial"
    assert list(samples_folder(olga).iterdir()) == []
    router.close_all()
    assert main(["check", "--data-dir", str(olga.installation.config.data_dir)]) == 0, capsys.readouterr().out


def test_nothing_leaves_a_sample(olga, tmp_path, capsys):
    """No mail, webhook, copy or backup; `erp check` says so of a webhook that came in otherwise."""
    for verb, path, body in (
        ("POST", "/workspace/webhooks", {"url": URL}),
        ("PATCH", "/workspace/mail", {"host": "smtp.example.com", "fromAddress": "a@example.com"}),
        ("POST", f"/workspace/{olga.workspace_id}/duplicate", {"name": "Copy"}),
        ("POST", "/workspace/invites", {"email": "ann@example.com", "role": "member", "send": True}),
        ("POST", "/tasks/calendar-address", {}),
        ("POST", "/hr/leaves/calendar-address", {}),
    ):
        assert "nothing leaves it" in olga.refused(verb, path, body, status=409, code="sample_data")["message"], path
    (invoice,) = olga.ok("GET", "/finance/invoices")
    send = f"/finance/invoices/{invoice['id']}/send"
    olga.refused("POST", send, {"via": "eml"}, status=409, code="sample_data")
    assert olga.ok("POST", send, {"dryRun": True})["to"][0]["address"] == "books@hansen.example"
    olga.refused("POST", f"/finance/invoices/{invoice['id']}/links", {}, status=409, code="sample_data")
    lines = [{"description": "Chairs", "quantity": "1", "unitPrice": "250.00"}]
    quote = olga.ok("POST", "/finance/quotes", {"customerId": invoice["customerId"], "lines": lines})
    olga.ok("POST", f"/finance/quotes/{quote['id']}/issue", {})
    olga.refused("POST", f"/finance/quotes/{quote['id']}/links", {}, status=409, code="sample_data")
    assert olga.ok("GET", "/workspace/invites") == []
    backup = olga.ok("POST", "/system/backups")
    assert [one["name"] for one in backup["workspaces"]] == ["Olga's office"]
    with config.use(olga.installation.config):
        file = backups.find(backup["name"])
        assert not [name for name in zipfile.ZipFile(file).namelist() if olga.workspace_id in name]
    data = str(olga.installation.config.data_dir)
    router.close_all()
    assert main(["workspace", "export", olga.workspace_id, "--to", str(tmp_path), "--data-dir", data]) == 1
    assert "nothing leaves it" in capsys.readouterr().err
    with olga.books(write=True):
        router.WORKSPACE.run(
            "INSERT INTO webhook (id, version, created_at, updated_at, url, event_types, position, failures)"
            " VALUES ('w', 1, '', '', ?, '[]', 0, 0)",
            (URL,),
        )
    assert main(["check", "--data-dir", data]) == 1
    assert "it has a webhook" in capsys.readouterr().out


def test_a_sample_is_deleted_at_once_with_all_that_it_has(olga):
    path, own = f"/workspace/{olga.workspace_id}", f"/workspace/{olga.own}"
    viewer, admin = olga.colleague("viewer"), olga.colleague("admin")
    token = olga.ok("POST", "/auth/tokens", {"name": "script", "workspaceId": olga.workspace_id})["token"]
    assert olga.ok("GET", "/workspace/search?q=hansen")
    admin.refused("DELETE", path, status=403, code="forbidden")
    script = {"Authorization": f"Bearer {token}"}
    olga.refused("DELETE", path, headers=script, status=403, code="forbidden")
    error = olga.refused("DELETE", own, status=409, code="not_a_sample")
    assert error["message"] == "Only sample data can be deleted. Archive this workspace instead."
    assert olga.ok("POST", f"{path}/archive")["status"] == "archived"
    assert olga.ok("DELETE", path) == {}
    assert remains(olga) == []
    with config.use(olga.installation.config), control.read():
        assert [row.id for row in Workspace.select()] == [olga.own]
        assert {row.workspace_id for row in Member.select()} == {olga.own}
        assert not Session.select().where(Session.active_workspace_id == olga.workspace_id).exists()
    assert (names(olga), names(viewer)) == (["Olga's office"], [])
    viewer.refused("GET", "/finance/contacts", status=400, code="workspace_required")
    olga.refused("GET", "/workspace", headers=script, status=401, code="not_authenticated")
    olga.refused("DELETE", path, status=403, code="not_a_member")
    olga.select(olga.own)
    assert olga.ok("POST", "/workspace", NEW)["isSample"]


@pytest.mark.parametrize("is_noticed", [True, False], ids=["noticed", "unnoticed"])
def test_a_damaged_sample_can_be_deleted(olga, stranger, is_noticed):
    """By its owner alone; also one whose log an event is still to be moved to, but no other damaged workspace."""
    path, own = f"/workspace/{olga.workspace_id}", f"/workspace/{olga.own}"
    viewer = olga.colleague("viewer")
    router.close_all()
    with config.use(olga.installation.config):
        for id in (olga.sample, olga.own):
            control.workspace_path(id).write_bytes(b"this is no database")
        if is_noticed:
            olga.installation = Installation(olga.installation.config.data_dir)
            olga.refused("GET", path, status=503, code="unavailable")
    with olga.acting(), control.write():
        Outbox.create(id=new_id(), workspace_id=olga.sample, event="{}")
    viewer.installation = stranger.installation = olga.installation
    viewer.refused("DELETE", path, status=403, code="forbidden")
    stranger.refused("DELETE", path, status=403, code="not_a_member")
    assert olga.ok("DELETE", path) == {}
    assert remains(olga) == []
    assert names(olga) == ["Olga's office"]
    with olga.acting(), control.read():
        assert Outbox.select().count() == 0
    if is_noticed:
        olga.refused("DELETE", own, status=409, code="not_a_sample")
        olga.refused("PATCH", own, {"name": "Other"}, status=503, code="unavailable")


def test_a_person_has_one_sample_beside_the_workspaces_that_they_may_create(olga):
    """Others have one as well, unless only administrators create workspaces."""
    error = olga.refused("POST", "/workspace", NEW, status=409, code="sample_exists")
    assert error["message"] == "You have sample data already, in the workspace To look around. Delete that first."
    again = Installation(olga.installation.config.data_dir, workspaces_per_user=1)
    sam = again.office("Sam")
    assert sam.ok("POST", "/workspace", NEW)["isSample"]
    sam.refused("POST", "/workspace", {"name": "Second"}, status=403, code="too_many_workspaces")
    wrong = sam.refused("POST", "/workspace", NEW | {"country": "DE", "baseCurrency": "EUR"}, status=422)
    assert {one["field"]: one["code"] for one in wrong["details"]} == dict.fromkeys(
        ("country", "baseCurrency"), "not_with_sample"
    )
    closed = Installation(olga.installation.config.data_dir, registration="invite")
    sam.installation = closed
    sam.refused("POST", "/workspace", NEW, status=403, code="registration_closed")


def test_while_one_is_made_others_are_refused_and_the_rest_goes_on(acme, small, monkeypatch):
    """Someone else's sample is refused meanwhile; a workspace, and work in another, is not."""
    stranger, going_on, begun, play = (
        acme.installation.office("Sam"),
        threading.Event(),
        threading.Event(),
        sample._play,
    )

    def slowly(*given):
        begun.set()
        assert going_on.wait(30)
        return play(*given)

    monkeypatch.setattr(sample, "_play", slowly)
    answers = []
    making = threading.Thread(target=lambda: answers.append(acme.call("POST", "/workspace", NEW)))
    making.start()
    assert begun.wait(30)
    error = stranger.refused("POST", "/workspace", NEW, status=409, code="sample_under_way")
    assert "half a minute" in error["message"]
    stranger.ok("POST", "/finance/contacts", {"name": "Initech", "kind": "customer"})
    assert stranger.ok("POST", "/workspace", {"name": "Branch"})["isSample"] is False
    acme.ok("POST", "/finance/contacts", {"name": "Initech", "kind": "customer"})
    assert names(acme) == ["Olga's office"]
    going_on.set()
    making.join()
    assert answers[0].status_code == 201


def test_what_fails_or_is_cut_off_leaves_nothing(olga, monkeypatch):
    """A story that cannot be played, a crash while one is, and one between the file and the rows of a deleted one."""
    data = olga.installation.config.data_dir
    (samples_folder(olga) / "cut" / "workspaces").mkdir(parents=True)
    router.close_all()
    for part in ("", "-wal", "-shm"):
        (data / "workspaces" / f"{olga.workspace_id}.db{part}").unlink(missing_ok=True)
    olga.installation = Installation(data)
    assert remains(olga) == []
    assert names(olga) == ["Olga's office"]
    olga.select(olga.own)
    text = SMALL.replace('customer = "Hansen"', 'customer = "Nobody"')
    scenario.SCENARIO.write_text(text, "utf-8")
    with olga.acting(), pytest.raises(NotPlayed, match="There is no contact “Nobody”"):
        samples.make("To look around")
    assert (remains(olga), names(olga)) == ([], ["Olga's office"])
    with config.use(olga.installation.config), control.read():
        assert Workspace.select().count() == 1


def test_a_restored_backup_knows_no_sample(olga):
    backup = olga.ok("POST", "/system/backups")["name"]
    olga.ok("POST", f"/system/backups/{backup}/restore", {})
    router.close_all()
    apply.apply_staged(olga.installation.config.data_dir)
    again = Installation(olga.installation.config.data_dir)
    signed_in = again.call("POST", "/auth/login", {"email": olga.email, "password": "correct horse battery"})
    assert [one["name"] for one in signed_in.json["data"]["workspaces"]] == ["Olga's office"]


@pytest.mark.thorough
@pytest.mark.skipif(not IS_THOROUGH, reason="the whole story takes 20 seconds; see TRY_THOROUGH")
def test_the_whole_story_is_sample_data_too(acme, capsys):
    made = acme.ok("POST", "/workspace", NEW)
    acme.select(made["id"])
    assert made["legalName"] == "Alder & Finch GmbH"
    assert len(acme.ok("GET", "/hr/employees")) == 9  # of ten people, one has left
    assert len(acme.ok("GET", "/finance/invoices?limit=200")) > 50
    assert [member["user"]["name"] for member in acme.ok("GET", "/workspace/members")] == ["Olga"]
    router.close_all()
    assert main(["check", "--data-dir", str(acme.installation.config.data_dir)]) == 0, capsys.readouterr().out
