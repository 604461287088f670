"""A message goes out once, as soon as it can."""

import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta

import pytest

from erp.kernel.errors import Busy
from erp.mail import background, client, following, hosts
from tests.mail.mailbox import (
    MAIL,
    MESSAGES,
    PASSWORD,
    certificate,
    deliver,
    mailbox,
    queued,
    queued_through,
    set_up,
    shown,
)
from tests.servers import wait_for

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def later(clock_at, **time: float) -> None:
    clock_at((START + timedelta(**time)).isoformat())


def events(office, message):
    return [event["type"] for event in office.ok("GET", f"/workspace/events?resourceId={message['id']}")][::-1]


def test_a_message_is_handed_over_once_over_one_connection(office, box):
    set_up(office, box, fromName='Äcme, "Nord"', replyTo="reply@acme.example", copyTo="copy@acme.example")
    first, second = queued(office), queued(office, "buero@müller.example")
    assert (first["status"], first["to"]) == (
        "queued",
        [{"address": "anna@example.com", "status": "pending", "reply": None}],
    )
    sender = deliver(office)
    deliver(office, sender)
    assert [received.recipients for received in box.received] == [
        ["anna@example.com", "copy@acme.example"],
        ["buero@xn--mller-kva.example", "copy@acme.example"],
    ]
    assert box.greeted == ["acme.example"]
    mail = box.received[0].mail
    assert (mail["From"], mail["To"], mail["Reply-To"], mail["Bcc"]) == (
        '"Äcme, \\"Nord\\"" <office@acme.example>',
        "anna@example.com",
        "reply@acme.example",
        None,
    )
    assert "Test message from Olga's office" in str(mail["Subject"])
    assert "this is a test" in box.received[0].text
    sent = shown(office, first)
    assert (sent["status"], sent["tries"], sent["reply"]) == ("sent", 1, "250 OK: queued as 4711")
    assert sent["to"] == [{"address": "anna@example.com", "status": "accepted", "reply": None}]
    assert sent["messageId"] == mail["Message-ID"]
    assert sent["sentAt"]
    assert events(office, first) == ["message.queued", "message.sent"]
    (event,) = office.ok("GET", f"/workspace/events?type=message.sent&resourceId={first['id']}")
    assert event["data"] == {"kind": "test", "number": None, "recipients": 2, "hashes": [], "replyCode": 250}
    assert shown(office, second)["status"] == "sent"


@pytest.mark.parametrize("security", ["starttls", "tls"])
def test_a_password_goes_out_encrypted_in_utf_8(office, security):
    with mailbox(security) as box:
        settings = set_up(office, box, security)
        assert settings["hasPassword"] is True
        assert "password" not in settings
        message = queued(office)
        deliver(office)
    assert shown(office, message)["status"] == "sent"
    assert len(box.received) == 1
    with office.books():
        raw = office.installation.config.workspaces_dir.joinpath(f"{office.workspace_id}.db").read_bytes()
    assert PASSWORD.encode() not in raw


def test_without_encryption_or_a_known_certificate_nothing_is_said(office):
    with mailbox() as plain:
        set_up(office, plain, "starttls")
        message = queued(office)
        deliver(office)
        assert (shown(office, message)["status"], shown(office, message)["problem"]) == ("failed", "tls_not_offered")
        assert plain.received == []
    for name, trusted in (("mail.other.example", certificate()), ("127.0.0.1", None)):
        with mailbox("starttls", name) as box:
            set_up(office, box, "starttls", certificate=trusted)
            message = queued(office)
            deliver(office)
            assert (shown(office, message)["status"], shown(office, message)["problem"]) == ("failed", "tls_failed")
            assert box.received == []
    assert client.context(hosts.Server(1, "a", 1, "tls", None, None, "a", certificate())).minimum_version >= (
        ssl.TLSVersion.TLSv1_2
    )


def test_a_wrong_password_pauses_all_mail_until_the_settings_change(office):
    with mailbox("tls") as box:
        set_up(office, box, "tls", password="wrong")
        first, second = queued(office), queued(office)
        sender = deliver(office)
        assert office.ok("GET", MAIL)["isPaused"] is True
        assert office.ok("GET", MAIL)["pauseReason"] == "login_refused"
        assert (shown(office, first)["status"], shown(office, first)["tries"]) == ("queued", 0)
        greeted = len(box.greeted)
        deliver(office, sender)
        assert len(box.greeted) == greeted, "a paused workspace does not try again, so that no account is locked"
        assert office.ok("POST", f"{MAIL}/resume")["isPaused"] is False
        office.refused("POST", f"{MAIL}/resume", status=409, code="invalid_transition")
        deliver(office)
        assert office.ok("PATCH", MAIL, {"password": PASSWORD})["isPaused"] is False
        deliver(office)
    assert [shown(office, each)["status"] for each in (first, second)] == ["sent", "sent"]
    assert len(box.received) == 2
    kinds = [event["type"] for event in office.ok("GET", "/workspace/events") if event["type"].startswith("mail.")]
    assert kinds[::-1] == ["mail.updated", "mail.paused", "mail.resumed", "mail.paused", "mail.updated"]


@pytest.mark.parametrize(
    ("replies", "status", "problem", "outcomes"),
    [
        ({"anna@example.com": "450 later"}, "waiting", "try_later", "pending"),
        ({"anna@example.com": "550 nobody"}, "failed", "all_refused", "pending"),
        ({"MAIL": "451 later"}, "waiting", "try_later", "pending"),
        ({"MAIL": "553 not you"}, "failed", "refused", "pending"),
        ({"DATA": "452 full"}, "waiting", "try_later", "accepted"),
        ({"DATA": "554 spam"}, "failed", "refused", "accepted"),
        ({"EHLO": "421 busy"}, "waiting", "try_later", "pending"),
    ],
)
def test_a_refusal_for_now_waits_and_one_for_good_fails(office, box, replies, status, problem, outcomes):
    set_up(office, box)
    message = queued(office)
    box.replies = replies
    deliver(office)
    told = shown(office, message)
    assert (told["status"], told["problem"], told["tries"]) == (status, problem, 1)
    assert told["to"][0]["status"] == outcomes
    assert box.received == []
    assert (told["nextAt"] is not None) == (status == "waiting")


def test_who_is_refused_among_others_is_said(office, box):
    set_up(office, box, copyTo="copy@acme.example")
    box.replies = {"anna@example.com": "550 no such user"}
    message = queued(office)
    deliver(office)
    told = shown(office, message)
    assert (told["status"], told["to"]) == (
        "sent",
        [{"address": "anna@example.com", "status": "refused", "reply": "550 no such user"}],
    )
    assert box.received[0].recipients == ["copy@acme.example"]


def test_the_same_message_is_tried_ten_times_in_75_hours(office, box, clock_at):
    later(clock_at)
    set_up(office, box)
    message = queued(office)
    box.replies = {"DATA": "452 full"}
    elapsed = timedelta()
    for wait in (0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400):
        assert shown(office, message)["status"] in ("queued", "waiting")
        elapsed += timedelta(seconds=wait)
        clock_at((START + elapsed).isoformat())
        deliver(office)
    assert elapsed == timedelta(hours=75, minutes=35, seconds=5)
    told = shown(office, message)
    assert (told["status"], told["tries"], told["nextAt"]) == ("failed", 10, None)
    box.replies = {}
    again = office.ok("POST", f"{MESSAGES}/{message['id']}/retry")
    assert (again["status"], again["retryOfId"]) == ("queued", message["id"])
    assert again["messageId"] != message["messageId"]
    deliver(office)
    assert len(box.received) == 1
    office.refused("POST", f"{MESSAGES}/{message['id']}/retry", status=409, code="invalid_transition")


def test_a_message_that_cannot_be_written_does_not_hold_up_the_others(office, box, monkeypatch, caplog):
    set_up(office, box)
    with monkeypatch.context() as once:
        for module in ("settings", "sending"):
            once.setattr(f"erp.mail.{module}.of_address", lambda *_: ())
        wrong = queued(office, "<anna@example.com>")
    right = queued(office)
    deliver(office)
    assert [shown(office, each)["status"] for each in (wrong, right)] == ["failed", "sent"]
    assert shown(office, wrong)["problem"] == "malformed"
    assert "example.com" not in caplog.text


def test_a_busy_server_does_not_end_a_message_with_a_link(office, box, monkeypatch):
    set_up(office, box)
    office.ok("POST", "/workspace/invites", {"email": "anna@new.example", "role": "member", "send": True})

    def busy(_):
        raise Busy

    with monkeypatch.context() as once:
        once.setitem(following.LINKS, "invite", busy)
        deliver(office)
    (message,) = office.ok("GET", MESSAGES)
    assert message["status"] == "queued"
    deliver(office)
    assert shown(office, message)["status"] == "sent"


def test_before_the_message_a_lost_connection_is_no_loss(office, box, clock_at):
    later(clock_at)
    set_up(office, box)
    message, next_one = queued(office), queued(office, "ben@example.com")
    for count, step in enumerate(("EHLO", "MAIL", "RCPT"), start=1):
        box.at = {step: lambda: "hang up"}
        deliver(office)
        told = shown(office, message)
        assert (told["status"], told["problem"], told["tries"]) == ("waiting", "no_connection", count)
        later(clock_at, hours=count)
    box.at = {}
    deliver(office)
    assert sorted(received.recipients[0] for received in box.received) == ["anna@example.com", "ben@example.com"]
    assert shown(office, next_one)["status"] == "sent"


def test_a_server_that_is_not_there_is_left_alone_for_a_while(office, box, clock_at):
    later(clock_at)
    set_up(office, box, port=1)
    messages = [queued(office, f"{name}@example.com") for name in ("a", "b", "c")]
    sender = deliver(office)
    assert [shown(office, each)["tries"] for each in messages] == [1, 0, 0]
    later(clock_at, seconds=4)
    deliver(office, sender)
    assert [shown(office, each)["tries"] for each in messages] == [1, 0, 0]
    office.ok("PATCH", MAIL, {"port": box.port})
    later(clock_at, seconds=6)
    deliver(office, sender)
    assert [shown(office, each)["status"] for each in messages] == ["sent"] * 3


def test_a_name_server_that_never_answers_holds_up_no_one(office, box, monkeypatch):
    message = queued_through(office, box)
    go = threading.Event()
    with monkeypatch.context() as once:
        once.setattr(client, "SECONDS", 0.2)
        once.setattr(socket, "getaddrinfo", lambda *_, **__: go.wait(20) and [])
        deliver(office)
        (asking,) = [thread for thread in threading.enumerate() if thread.name == "resolving a name"]
    assert (shown(office, message)["status"], shown(office, message)["problem"]) == ("waiting", "no_connection")
    assert asking.daemon, "a stopping server does not wait for it"
    go.set()
    asking.join()


def test_no_more_go_in_an_hour_than_the_provider_takes(office, box, clock_at):
    later(clock_at)
    set_up(office, box, perHour=2)
    for name in "abc":
        queued(office, f"{name}@example.com")
    sender = deliver(office)
    assert len(box.received) == 2
    later(clock_at, minutes=59)
    deliver(office, sender)
    assert len(box.received) == 2
    later(clock_at, minutes=61)
    deliver(office, sender)
    assert len(box.received) == 3


def test_what_has_not_gone_out_can_be_cancelled(office, box):
    message = queued_through(office, box)
    cancelled = office.ok("POST", f"{MESSAGES}/{message['id']}/cancel")
    assert (cancelled["status"], cancelled["nextAt"], cancelled["can"]) == ("cancelled", None, [])
    deliver(office)
    assert box.received == []
    for action in ("cancel", "retry", "confirm-sent", "handed-over", "discard"):
        office.refused("POST", f"{MESSAGES}/{message['id']}/{action}", status=409, code="invalid_transition")
    office.refused("GET", f"{MESSAGES}/{message['id']}/eml", status=409, code="invalid_transition")


def test_a_message_that_was_cancelled_while_the_recipients_were_named_does_not_go(office, box):
    message = queued_through(office, box)
    box.at = {"RCPT": lambda: office.ok("POST", f"{MESSAGES}/{message['id']}/cancel")}
    deliver(office)
    assert box.received == []
    assert shown(office, message)["status"] == "cancelled"


def test_the_threads_of_the_server_send_what_is_queued(office, box):
    set_up(office, box)
    with background.running(office.installation.config, first_look=0.01):
        message = queued(office)
        wait_for(lambda: shown(office, message)["status"] == "sent")
    assert len(box.received) == 1


def test_other_kinds_are_not_seen(office, box):
    message = queued_through(office, box)
    for role in ("accountant", "viewer", "hr"):
        colleague = office.colleague(role)
        assert colleague.ok("GET", MESSAGES) == []
        colleague.refused("GET", f"{MESSAGES}/{message['id']}", status=404)
        colleague.refused("GET", MAIL, status=403)
    assert len(office.colleague("admin").ok("GET", f"{MESSAGES}?q=anna")) == 1
    assert office.ok("GET", f"{MESSAGES}?q=bert") == []
