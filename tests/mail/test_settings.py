"""The mail server of a workspace: checked when it is set, kept secret, forgotten by copies."""

from contextlib import closing
from pathlib import Path

import pytest

from erp.store import connections
from erp.system.transfer import duplicating
from tests.mail.mailbox import MAIL, MESSAGES, PASSWORD, USER, certificate, deliver, queued, set_up, shown

GIVEN = {"host": "smtp.example.com", "userName": USER, "password": PASSWORD, "fromAddress": "office@acme.example"}


def complaints(office, body):
    error = office.refused("PATCH", MAIL, body, status=422)
    return {(detail["field"], detail["code"]) for detail in error["details"]}


def test_settings_are_shown_without_the_password_and_can_be_removed(acme):
    assert (acme.ok("GET", MAIL)["host"], acme.ok("GET", MAIL)["port"]) == (None, 587)
    acme.refused("POST", f"{MAIL}/test", {}, status=409, code="mail_not_set_up")
    assert complaints(acme, {"password": "x"}) == {
        ("host", "required"),
        ("fromAddress", "required"),
        ("userName", "required"),
    }
    made = acme.ok("PATCH", MAIL, GIVEN)
    assert (made["security"], made["perHour"], made["hasPassword"], made["isPaused"]) == ("starttls", 200, True, False)
    for address, code in (("<a@b.example>", "bad_address"), ("a@localhost", "private_address")):
        error = acme.refused("POST", f"{MAIL}/test", {"to": address}, status=422)
        assert [(each["field"], each["code"]) for each in error["details"]] == [("to", code)]
    assert acme.ok("PATCH", MAIL, {"port": 2525}, headers={"If-Match": '"1"'})["version"] == 2
    acme.refused("PATCH", MAIL, {"port": 25}, headers={"If-Match": '"1"'}, status=412)
    acme.ok("DELETE", MAIL)
    assert (acme.ok("GET", MAIL)["host"], acme.ok("GET", MAIL)["hasPassword"]) == (None, False)
    acme.refused("DELETE", MAIL, status=409, code="mail_not_set_up")
    text = str(acme.ok("GET", "/workspace/events"))
    assert "office@acme.example" not in text
    assert PASSWORD not in text


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ({"host": "192.168.1.4"}, ("host", "private_address")),
        ({"host": "127.0.0.1"}, ("host", "private_address")),
        ({"host": "::1"}, ("host", "private_address")),
        ({"host": "mail.localhost"}, ("host", "private_address")),
        ({"host": "smtp example"}, ("host", "bad_host")),
        ({"security": "none"}, ("password", "clear_password")),
        ({"security": "none", "password": None, "host": "9.9.9.9"}, ("host", "public_address")),
        ({"certificate": "no PEM"}, ("certificate", "bad_certificate")),
        ({"certificate": certificate() + "-----BEGIN PRIVATE KEY-----"}, ("certificate", "bad_certificate")),
        ({"fromAddress": "büro@acme.example"}, ("fromAddress", "bad_address")),
        ({"copyTo": "<copy@acme.example>"}, ("copyTo", "bad_address")),
        ({"fromAddress": "office@intranet"}, ("fromAddress", "private_address")),
    ],
)
def test_what_cannot_be_a_mail_server_is_refused(acme, body, complaint):
    assert complaint in complaints(acme, {**GIVEN, **body})


def test_a_password_is_not_told_to_another_server(acme):
    acme.ok("PATCH", MAIL, GIVEN)
    assert complaints(acme, {"host": "smtp.other.example"}) == {("password", "required")}
    assert acme.ok("PATCH", MAIL, {"host": "smtp.other.example", "password": "new"})["hasPassword"] is True
    assert acme.ok("PATCH", MAIL, {"host": "smtp.example.com", "password": None})["hasPassword"] is False


def test_a_private_address_needs_the_flag_and_a_name_may_not_lead_there(office, acme, box, monkeypatch):
    set_up(office, box, certificate=certificate())
    assert office.ok("PATCH", MAIL, {"replyTo": "office@intranet"})["replyTo"] == "office@intranet"
    office.ok("PATCH", MAIL, {"host": "mail.acme.example"})
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("9.9.9.9", 25))])
    message = queued(office)
    deliver(office)
    assert (shown(office, message)["status"], shown(office, message)["problem"]) == ("failed", "address_refused")
    assert box.greeted == []


def test_a_copy_has_no_password_and_sends_nothing_by_itself(office, box):
    set_up(office, box)
    waiting = queued(office)
    office.ok("PATCH", MAIL, {"security": "starttls", "userName": USER, "password": PASSWORD})
    with office.acting():
        copy_id, _ = duplicating.duplicate(office.workspace_id)
    original = office.workspace_id
    office.select(copy_id)
    assert (office.ok("GET", MAIL)["hasPassword"], office.ok("GET", MAIL)["userName"]) == (False, USER)
    (message,) = office.ok("GET", MESSAGES)
    assert (message["status"], message["problem"], message["id"]) == ("unsure", "copied", waiting["id"])
    assert office.ok("GET", "/workspace/events/verify")["isValid"] is True
    office.select(original)
    assert shown(office, waiting)["status"] == "queued"
    path: Path = office.installation.config.workspaces_dir / f"{original}.db"
    with closing(connections.connect(path)) as connection:
        ((value,),) = connection.execute("SELECT value FROM sealed_secret").fetchall()
    assert value.startswith("gAAAA"), "Fernet, whose key is in the control file"
