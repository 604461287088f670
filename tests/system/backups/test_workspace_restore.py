"""Putting one workspace back while the others work."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from erp.kernel import config, ibans
from erp.kernel.errors import Busy
from erp.migrations import WORKSPACE_SCHEMA
from erp.store import connections, control, records, router
from erp.store.control import Workspace
from erp.store.router import WORKSPACE
from erp.system.backups import archive, workspace_restore
from erp.system.backups.archive import BadBackup
from tests.finance.contacts.contacts import supplier
from tests.finance.documents.invoices import invoice
from tests.finance.reports.trees import unproven
from tests.system.backups.backups import JOURNAL, backup, figures, file_of, rewritten, trade, verdict, with_database


def put_back(office, name, workspace_id=None):
    body = {"workspaceId": workspace_id or office.workspace_id}
    return office.ok("POST", f"/system/backups/{name}/restore", body)


def balances(office):
    return unproven(office.ok("GET", "/finance/reports/trial-balance"))


def newest(office):
    return office.ok("GET", "/workspace/events", params={"limit": "1"})[0]


@contextmanager
def at_work(*jobs) -> Iterator[list[BaseException]]:
    """Do the jobs over and over in threads during the block; what goes wrong is in the list after it."""
    ended, failures = threading.Event(), []

    def work(job):
        while not ended.is_set():
            try:
                job()
            except BaseException as problem:  # noqa: BLE001 - the test reports it
                failures.append(problem)
                return

    threads = [threading.Thread(target=work, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    try:
        yield failures
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def test_a_workspace_goes_back_and_its_log_tells_of_it(acme):
    trade(acme)
    then = figures(acme)
    name = backup(acme)["name"]
    trade(acme, "70.00")
    restore = put_back(acme, name)
    assert (restore["workspaceId"], restore["isDone"]) == (acme.workspace_id, True)
    now = figures(acme)
    assert (now["balances"], now["seq"]) == (then["balances"], then["seq"] + 1)
    event = newest(acme)
    assert (event["type"], event["data"]["backup"], event["data"]["seq"]) == ("workspace.restored", name, then["seq"])
    assert event["actor"]["id"] == acme.user["id"]


def test_a_share_link_that_was_revoked_since_the_backup_stays_dead(acme):
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"shareLinks": True})
    links = f"/finance/invoices/{invoice(acme)['id']}/links"
    link = acme.ok("POST", links, {})
    secret = {"secret": link["url"].partition("#")[2]}
    assert acme.installation.call("POST", "/share/view", secret).status_code == 200
    made = backup(acme)
    acme.ok("POST", f"{links}/{link['id']}/revoke", {})
    put_back(acme, made["name"])
    assert acme.installation.call("POST", "/share/view", secret).status_code == 404
    (shown,) = acme.ok("GET", links)
    assert shown["revokedAt"] is not None


def test_a_wrong_iban_of_a_laxer_rule_keeps_nothing_from_being_restored_read_or_changed(acme, monkeypatch):
    wrong = "DE3437040044053201300"
    with monkeypatch.context() as lax:
        lax.setattr(ibans, "is_valid", lambda text: True)
        meyer = supplier(acme, bankAccount={"iban": wrong})["id"]
        acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"iban": wrong})
    made = backup(acme)
    assert verdict(acme, made["name"]) == []
    put_back(acme, made["name"])
    shown = acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"legalName": "Acme Ltd"})
    assert (shown["iban"], shown["legalName"]) == (wrong, "Acme Ltd")
    contact = acme.ok("GET", f"/finance/contacts/{meyer}")
    assert contact["bankAccount"]["iban"] == wrong
    assert acme.ok("PATCH", f"/finance/contacts/{meyer}", {**contact, "phone": "030 123"})["phone"] == "030 123"
    another = {"bankAccount": {"iban": "DE88370400440532013000"}, "email": "x"}
    error = acme.refused("PATCH", f"/finance/contacts/{meyer}", another, status=422)
    assert [complaint["field"] for complaint in error["details"]] == ["email", "bankAccount.iban"]


def test_the_data_before_was_backed_up_and_can_be_put_back(acme):
    name = backup(acme)["name"]
    trade(acme)
    before = balances(acme)
    kept = put_back(acme, name)["kept"]
    assert balances(acme) != before
    assert verdict(acme, kept) == []
    put_back(acme, kept)
    assert balances(acme) == before


def test_work_goes_on_after_it_and_its_chain_head_is_noted(acme):
    trade(acme)
    name = backup(acme)["name"]
    for _ in range(3):
        trade(acme)
    put_back(acme, name)
    head = figures(acme)
    with acme.acting(), control.read():
        noted = Workspace.find(acme.workspace_id)
    assert (noted.tip_seq, noted.tip_hash) == (head["seq"], head["tip"])
    trade(acme)
    assert backup(acme)["doubtful"] == []


def test_members_who_came_since_stay(acme):
    name = backup(acme)["name"]
    anna = acme.colleague("accountant")
    put_back(acme, name)
    assert anna.ok("GET", "/finance/accounts")
    assert len(acme.ok("GET", "/workspace/members")) == 2


def test_others_read_all_of_the_old_or_all_of_the_new_and_no_one_is_disturbed(acme, stranger):
    """Threads that have the file open see the change at once; other workspaces are worked in meanwhile."""
    trade(acme)
    old = balances(acme)
    name = backup(acme)["name"]
    trade(acme, "900.00")
    new = balances(acme)
    seen = []
    jobs = [lambda: seen.append(balances(acme))] * 2 + [lambda: stranger.ok("POST", "/finance/journals", JOURNAL)]
    with at_work(*jobs) as failures:
        for _ in range(3):
            kept = put_back(acme, name)["kept"]
            assert balances(acme) == old
            put_back(acme, kept)
            assert balances(acme) == new
    assert failures == []
    assert all(each in (old, new) for each in seen)
    assert old in seen
    assert new in seen
    assert figures(stranger)["seq"] > 1


def test_writers_at_that_moment_write_before_or_after_it(acme):
    name = backup(acme)["name"]

    def write():
        answer = acme.call("POST", "/finance/journals", JOURNAL)
        assert answer.status_code in (201, 503), answer.text

    with at_work(write, write) as failures:
        for _ in range(3):
            put_back(acme, name)
    assert failures == []
    assert figures(acme)
    assert verdict(acme, backup(acme)["name"]) == []


@pytest.mark.parametrize("harm", ["spoiled", "missing", "empty"])
def test_a_workspace_whose_file_is_damaged_is_put_back_and_the_file_is_kept(acme, stranger, spoil, harm):
    trade(stranger)
    then = balances(stranger)
    name = backup(acme)["name"]
    spoil(stranger)
    with stranger.acting():
        place = control.workspace_path(stranger.workspace_id)
    if harm == "missing":
        place.unlink()
    if harm == "empty":
        place.write_bytes(b"")
    put_back(acme, name, stranger.workspace_id)
    assert balances(stranger) == then
    trade(stranger)
    kept = list((acme.installation.config.data_dir / "quarantine").glob("*"))
    assert len([path for path in kept if path.suffix == ".db"]) == (harm != "missing")
    assert stranger.ok("GET", f"/workspace/{stranger.workspace_id}")["status"] == "active"


def test_a_workspace_that_was_found_damaged_at_the_start_is_available_again(acme, stranger):
    name = backup(acme)["name"]
    with acme.acting(), control.write():
        Workspace.update(fault="It is damaged.").where(Workspace.id == stranger.workspace_id).execute()
    stranger.refused("GET", "/finance/accounts", status=503, code="unavailable")
    put_back(acme, name, stranger.workspace_id)
    assert stranger.ok("GET", "/finance/accounts")


def test_a_file_is_not_moved_while_someone_has_it_open(acme, monkeypatch):
    monkeypatch.setattr(router, "LOCK_SECONDS", 0.2)
    with acme.acting():
        path = control.workspace_path(acme.workspace_id)
    inside, leave, refused = threading.Event(), threading.Event(), []

    def read():
        with WORKSPACE.scope(path, write=False):
            inside.set()
            leave.wait(5)

    reader = threading.Thread(target=read)
    reader.start()
    inside.wait(5)
    with pytest.raises(Busy), WORKSPACE.closed(path):
        pytest.fail("someone is reading")
    leave.set()
    reader.join()
    with WORKSPACE.closed(path):
        for write in (False, True):
            with pytest.raises(Busy), WORKSPACE.scope(path, write=write):
                refused.append(write)
        assert not list(path.parent.glob("*-wal")), "no connection is left"
    assert refused == []
    assert acme.ok("GET", "/finance/accounts")


def test_what_the_backup_or_the_installation_does_not_have_is_not_found(acme):
    first = backup(acme)["name"]
    made = acme.ok("POST", "/workspace", {"name": "Branch"})["id"]
    for workspace_id in (made, records.new_id()):
        acme.refused(
            "POST", f"/system/backups/{first}/restore", {"workspaceId": workspace_id}, status=404, code="not_found"
        )
    acme.refused("POST", f"/system/backups/{first}/restore", {"workspaceId": "x"}, status=404)


def test_a_spoiled_copy_changes_nothing(acme):
    good = file_of(acme, backup(acme)["name"])
    entry = f"workspaces/{acme.workspace_id}.db"
    rewritten(good, good.with_name("bad.zip"), **{entry: b"x" * 798720})
    trade(acme)
    before = figures(acme)
    acme.refused(
        "POST", "/system/backups/bad.zip/restore", {"workspaceId": acme.workspace_id}, status=409, code="bad_backup"
    )
    assert figures(acme) == before
    assert "before-restore" not in [each["kind"] for each in acme.ok("GET", "/system/backups")]


@pytest.mark.parametrize(
    "change", ["PRAGMA user_version = 0", "PRAGMA user_version = 999", "DELETE FROM workspace_meta"]
)
def test_a_copy_that_is_not_what_the_manifest_describes_changes_nothing(acme, change):
    good = file_of(acme, backup(acme)["name"])
    with_database(good, good.with_name("bad.zip"), acme, change)
    before = figures(acme)
    acme.refused(
        "POST", "/system/backups/bad.zip/restore", {"workspaceId": acme.workspace_id}, status=409, code="bad_backup"
    )
    assert figures(acme) == before


def test_a_copy_with_settings_that_no_request_could_have_set_changes_nothing(acme):
    good = file_of(acme, backup(acme)["name"])
    with_database(good, good.with_name("bad.zip"), acme, "UPDATE settings SET time_zone = '../../etc/passwd'")
    before = figures(acme)
    for body in ({"workspaceId": acme.workspace_id}, {}):
        error = acme.refused("POST", "/system/backups/bad.zip/restore", body, status=409, code="bad_backup")
        assert "Its setting timeZone is '../../etc/passwd'. There is no such time zone." in error["message"]
    assert figures(acme) == before
    assert "before-restore" not in [each["kind"] for each in acme.ok("GET", "/system/backups")]


def test_a_copy_with_pages_of_another_size_is_put_back_and_can_be_gone_back_from(acme):
    trade(acme)
    then, good = balances(acme), file_of(acme, backup(acme)["name"])
    with_database(good, good.with_name("other.zip"), acme, "PRAGMA page_size = 16384", "VACUUM")
    for name in ("other.zip", good.name):
        trade(acme)
        put_back(acme, name)
        assert balances(acme) == then
    assert verdict(acme, backup(acme)["name"]) == []


def test_another_program_that_keeps_the_file_makes_the_restore_give_up(acme, monkeypatch):
    name = backup(acme)["name"]
    trade(acme)
    before = figures(acme)
    monkeypatch.setattr(router, "LOCK_SECONDS", 0)
    pragmas = [each for each in connections.PRAGMAS if "busy" not in each] + ["busy_timeout = 1"]
    monkeypatch.setattr(connections, "PRAGMAS", pragmas)
    with acme.acting():
        path = control.workspace_path(acme.workspace_id)
    other = connections.sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        with acme.acting(), pytest.raises(Busy):
            workspace_restore._overwrite(path, file_copy(acme, name))
    finally:
        other.close()
    assert figures(acme) == before


@pytest.mark.parametrize("has_other_pages", [False, True])
def test_a_restore_that_gives_up_leaves_the_workspace_as_it_was(acme, monkeypatch, has_other_pages):
    trade(acme)
    name = backup(acme)["name"]
    if has_other_pages:
        good = file_of(acme, name)
        name = "other.zip"
        with_database(good, good.with_name(name), acme, "PRAGMA page_size = 16384", "VACUUM")
    monkeypatch.setattr(router, "LOCK_SECONDS", 0.05)
    with acme.acting():
        path = control.workspace_path(acme.workspace_id)
    before, row = figures(acme), noted(acme)
    inside, leave = threading.Event(), threading.Event()

    def write():
        with config.use(acme.installation.config), WORKSPACE.scope(path, write=True):
            inside.set()
            leave.wait(5)

    writer = threading.Thread(target=write)
    writer.start()
    inside.wait(5)
    with acme.acting(), pytest.raises(Busy):
        workspace_restore.restore(file_of(acme, name), acme.workspace_id)
    leave.set()
    writer.join()
    assert figures(acme) == before
    assert noted(acme) == row


def noted(office):
    """What the control file knows of a workspace's file."""
    with office.acting(), control.read():
        row = Workspace.find(office.workspace_id)
        return row.tip_seq, row.tip_hash, row.history, row.fault, row.status


def file_copy(office, name):
    """A workspace's file out of a backup."""
    copy = office.installation.config.data_dir / "copy" / f"{office.workspace_id}.db"
    copy.parent.mkdir()
    archive.extract(file_of(office, name), f"workspaces/{office.workspace_id}.db", copy)
    return copy


def test_a_backup_of_a_newer_schema_is_refused(acme):
    good = file_of(acme, backup(acme)["name"])
    rewritten(
        good, good.with_name("newer.zip"), lambda manifest: [entry.update(schema=999) for entry in manifest["files"]]
    )
    with config.use(acme.installation.config), pytest.raises(BadBackup, match="this program knows"):
        workspace_restore.restore(good.with_name("newer.zip"), acme.workspace_id)


def test_an_older_copy_is_brought_up_to_date_before_it_is_put_in_place(acme, monkeypatch):
    trade(acme)
    then = balances(acme)
    name = backup(acme)["name"]
    with acme.acting():
        path = control.workspace_path(acme.workspace_id)

    def later(connection):
        connection.execute("CREATE TABLE added_later (id TEXT NOT NULL PRIMARY KEY) STRICT")

    with monkeypatch.context() as newer:
        newer.setattr(WORKSPACE_SCHEMA, "steps", [later])
        put_back(acme, name)
        with WORKSPACE.scope(path, write=False):
            assert WORKSPACE.rows("PRAGMA user_version") == [(WORKSPACE_SCHEMA.version,)]
            assert WORKSPACE.rows("SELECT * FROM added_later") == []
        assert balances(acme) == then
