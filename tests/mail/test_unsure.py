"""Where nobody knows whether a message arrived, the office is told, and nothing is sent twice."""

import socket
import threading
from contextlib import closing
from smtplib import SMTPServerDisconnected

import pytest
from peewee import OperationalError

from erp.mail import client, hosts, tries
from erp.mail.sender import Sender
from tests.mail.mailbox import (
    MESSAGES,
    deliver,
    queued,
    queued_through,
    set_up,
    shown,
)


def test_a_reply_that_does_not_come_leaves_the_message_unsure(office, box):
    set_up(office, box)
    for step, is_kept in (("DATA", False), ("ACCEPTED", True)):
        message, before = queued(office), len(box.received)
        box.at = {step: lambda: "hang up"}
        deliver(office)
        box.at = {}
        deliver(office)
        told = shown(office, message)
        assert (told["status"], told["problem"], told["can"]) == ("unsure", "interrupted", ["confirm_sent", "retry"])
        assert len(box.received) == before + is_kept, "it is never sent again by itself"
    assert len(office.ok("GET", f"{MESSAGES}?isInTrouble=true")) == 2
    confirmed = office.ok("POST", f"{MESSAGES}/{message['id']}/confirm-sent")
    assert (confirmed["status"], confirmed["to"][0]["status"], confirmed["can"]) == ("sent", "accepted", [])
    assert len(office.ok("GET", f"{MESSAGES}?isInTrouble=true")) == 1


def test_a_reply_that_is_too_late_leaves_the_message_unsure(office, box, monkeypatch):
    monkeypatch.setattr(client, "REPLY_SECONDS", 0.05)
    set_up(office, box)
    message = queued(office)
    slow = threading.Event()
    box.at = {"DATA": lambda: slow.wait(5)}
    deliver(office)
    slow.set()
    assert (shown(office, message)["status"], shown(office, message)["problem"]) == ("unsure", "no_reply")


@pytest.mark.parametrize("reply", ["354 go on", "what?"])
def test_a_reply_that_says_nothing_leaves_the_message_unsure(office, box, reply):
    set_up(office, box)
    message = queued(office)
    box.replies = {"DATA": reply}
    deliver(office)
    assert (shown(office, message)["status"], shown(office, message)["nextAt"]) == ("unsure", None)


def test_a_reply_without_an_end_is_not_read_for_ever(monkeypatch):
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        smtp = client._Smtp(hosts.Server(1, "a", 1, "none", None, None, "a", None))
        smtp.sock = ours
        theirs.sendall(b"250-more\r\n250 end\r\n")
        assert smtp.getreply() == (250, b"more\nend")
        theirs.sendall(b"250-more\r\n" * client.MOST_LINES)
        with pytest.raises(SMTPServerDisconnected):
            smtp.getreply()
        theirs.sendall(b"x" * (client.LONGEST_LINE + 1))
        with pytest.raises(SMTPServerDisconnected):
            smtp.getreply()
        smtp.seconds = 0.01
        with pytest.raises(TimeoutError):
            smtp.getreply()


def test_an_error_of_our_own_while_it_is_handed_over_leaves_the_message_unsure(office, box, monkeypatch):
    message = queued_through(office, box)
    with monkeypatch.context() as once:
        once.setattr(client, "_dotted", lambda _: 1 / 0)
        sender = deliver(office)
    assert shown(office, message)["status"] == "sending"
    for _ in range(2):
        sender.serve(office.workspace_id)
    assert (shown(office, message)["status"], shown(office, message)["problem"]) == ("unsure", "interrupted")
    assert box.received == []


def test_an_outcome_that_could_not_be_noted_is_noted_later(office, box, monkeypatch):
    message = queued_through(office, box)
    note = tries.note

    def fail(*_):
        raise OperationalError("disk I/O error")

    monkeypatch.setattr(tries, "note", fail)
    sender = Sender(office.installation.config)
    deliver(office, sender)
    assert shown(office, message)["status"] == "sending"
    monkeypatch.setattr(tries, "note", note)
    sender.serve(office.workspace_id)
    assert (shown(office, message)["status"], len(box.received)) == ("sent", 1)
