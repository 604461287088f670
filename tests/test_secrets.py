"""A person who reads the files of an installation finds nothing to sign in with (reliability A2)."""

import re
import socket
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from erp.commands.data import COMMAND_LINE
from erp.kernel import caller, config
from erp.store import connections, router
from erp.system.backups import backups
from erp.system.transfer import exporting
from tests.conftest import PASSWORD
from tests.servers import shut_down
from tests.test_durability import Desk, serving


def test_no_token_code_or_password_is_in_any_file(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    data = tmp_path / "data"
    with serving(data, port) as process:
        assert process.stdout is not None
        said = "".join(process.stdout.readline() for _ in range(5))
        setup = re.search(r"#setup=(\S+)", said)
        assert setup is not None
        secrets = [setup[1], *handed_out(Desk(port))]
        shut_down(process)
    leave_copies(data)
    kept = b"".join(content(file, tmp_path) for file in sorted(data.rglob("*")) if file.is_file())
    # The data, two backups and an export; on a slow machine the backup of the day as well.
    assert kept.count(b"SQLite format 3") >= 2 + 2 + 2 + 1
    assert b"olga@example.com" in kept
    assert b"POST /api/v1/auth/login 401" in kept
    found = [secret for secret in secrets if secret.removeprefix("erp_").encode() in kept]
    assert found == []


def leave_copies(data: Path) -> None:
    """Make a backup and an export, which leave the folder they were made in, beside the backup the admin made."""
    with config.use(config.Config(data_dir=data)):
        (workspace,) = (path.stem for path in config.current().workspaces_dir.glob("*.db"))
        with caller.acting(COMMAND_LINE):
            exporting.export(workspace, data / "export.zip")
        backups.make("manual", data / "stick")
        router.close_all()


def handed_out(desk: Desk) -> list[str]:
    """Do what hands out secrets, and put each where a careless log would keep it; the secrets."""
    desk.sign_in()
    secrets = [PASSWORD, desk.headers["Authorization"].removeprefix("Bearer ")]

    def made(path: str, body: Any) -> Any:
        status, answer = desk.call("POST", path, body)
        assert status == 201, answer
        return answer["data"]

    session = desk.call("GET", "/auth/session")[1]["data"]
    workspace_id = session["workspace"]["id"]
    named = made("/auth/tokens", {"name": "Export", "workspaceId": workspace_id})
    invite = made("/workspace/invites", {"email": "anna@example.com", "role": "member"})
    used = made("/workspace/invites", {"email": "ben@example.com", "role": "member"})
    body = {"email": "ben@example.com", "password": "a password of Ben's", "name": "Ben", "inviteToken": used["token"]}
    ben = made("/auth/register", body)
    reset = made("/auth/password-resets", {"userId": ben["user"]["id"]})
    desk.call("POST", "/auth/password-resets/redeem", {"token": reset["token"], "newPassword": "a later one of his"})
    desk.call("POST", "/auth/login", {"email": "ben@example.com", "password": "a wrong one of his"})
    calendar = urlsplit(made("/tasks/calendar-address", {})["url"]).path.removeprefix("/api/v1")
    assert desk.call("GET", calendar + "x")[0] == 404
    secrets.append(calendar.split("/")[-1].removesuffix(".ics"))
    secrets += [named["token"], invite["token"], used["token"], ben["session"]["token"], reset["token"]]
    secrets += ["a password of Ben's", "a later one of his", "a wrong one of his"]
    for secret in (named["token"], reset["token"]):
        desk.call("GET", f"/{secret}")
        desk.call("DELETE", f"/auth/sessions/{secret}")
        desk.call("GET", f"/auth/session?token={secret}")
        desk.call("POST", "/auth/logout", {"token": secret})
        desk.call("GET", "/auth/session", Cookie=f"erp_session={secret}", Referer=f"http://x/#{secret}")
    made("/system/backups", {})
    assert urlsplit(invite["acceptUrl"]).fragment == f"invite={invite['token']}"
    return secrets


def content(file: Path, folder: Path) -> bytes:
    """What is in a file; of a database, in a copy of it; of a zip, in its members."""
    if file.suffix == ".zip":
        with zipfile.ZipFile(file) as zipped:
            return b"".join(map(zipped.read, zipped.namelist()))
    if file.suffix != ".db":
        return file.read_bytes()
    copy = folder / f"{file.stem}.copy"
    with closing(connections.connect(file)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))
    return copy.read_bytes()
