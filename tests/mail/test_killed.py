"""A server that is killed at any step sends nothing twice, and loses nothing: what nobody can know, it says.

The program ends without a word at a point, as by SIGKILL: its process is a fork, so that each point costs no start.
"""

import os
from typing import Any

import pytest

from erp.mail.sender import Sender
from tests.conftest import Office
from tests.kill_points import DEAD, at
from tests.mail.mailbox import MESSAGES, Mailbox, deliver, queued, set_up, shown

POINTS = {
    "erp.mail.client:Connection.address:before": ("queued", 0, 1),
    "erp.mail.client:Connection.address:after": ("queued", 0, 1),
    "erp.mail.tries:begin:after": ("queued", 0, 1),  # not committed yet
    "erp.mail.client:Connection.hand_over:before": ("unsure", 0, 0),
    "erp.mail.client:_dotted:before": ("unsure", 0, 0),
    "erp.mail.client:Connection.hand_over:after": ("unsure", 1, 1),
    "erp.mail.tries:note:before": ("unsure", 1, 1),
    "erp.mail.tries:note:after": ("unsure", 1, 1),  # not committed yet
    "erp.mail.sender:Sender._note_outcome:after": ("sent", 1, 1),
}
"""By the point of the end: the state after the next start, and the messages that have arrived then and at the end."""


def killed(office: Office, point: str) -> None:
    """Send in a process of its own that ends at a point."""
    child = os.fork()
    if child == 0:  # pragma: no cover - it ends without a word
        at(point, lambda: os._exit(DEAD))
        deliver(office)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == DEAD, f"{point} was never reached"


USUAL = ("erp.mail.client:Connection.address:after", "erp.mail.client:_dotted:before", "erp.mail.tries:note:before")
"""The points that every run tries."""


@pytest.mark.parametrize(
    "point", [point if point in USUAL else pytest.param(point, marks=pytest.mark.thorough) for point in POINTS]
)
def test_whatever_ends_the_server_nothing_goes_twice_and_nothing_is_lost(office, box, point):
    state, arrived, at_the_end = POINTS[point]
    set_up(office, box)
    message = queued(office)
    killed(office, point)
    assert len(box.received) == arrived
    sender = Sender(office.installation.config)
    keys = sender.ready()
    assert shown(office, message)["status"] == state
    for key in keys:
        sender.serve(key)
    deliver(office)
    assert len(box.received) == at_the_end
    told = shown(office, message)
    assert told["status"] == ("unsure" if state == "unsure" else "sent")
    if state == "unsure":
        assert told["can"] == ["confirm_sent", "retry"]
        office.ok("POST", f"{MESSAGES}/{message['id']}/retry")
        deliver(office)
        assert len(box.received) == at_the_end + 1


@pytest.mark.thorough
def test_of_many_messages_none_is_lost_or_doubled_by_many_ends(office, box):
    set_up(office, box)
    sent = [queued(office, f"{number}@example.com")["id"] for number in range(2 * len(POINTS))]
    for number, point in enumerate([*POINTS, *POINTS]):
        if any(message["status"] in ("queued", "waiting") for message in everything(office)):
            killed_or_done(office, f"{point}:{1 + number % 2}")
    deliver(office)
    deliver(office)
    arrived = [received.recipients[0] for received in box.received]
    assert len(arrived) == len(set(arrived)), "nothing went twice"
    by_address = {message["to"][0]["address"]: message["status"] for message in everything(office)}
    assert len(by_address) == len(sent)
    for address, status in by_address.items():
        assert status in ("sent", "unsure")
        assert status == "unsure" or address in arrived, "what is called sent has arrived"


def everything(office: Office) -> Any:
    return office.ok("GET", f"{MESSAGES}?limit=200")


def killed_or_done(office: Office, point: str) -> None:
    child = os.fork()
    if child == 0:  # pragma: no cover - it ends without a word
        at(point, lambda: os._exit(DEAD))
        deliver(office)
        os._exit(DEAD)
    os.waitpid(child, 0)


def test_the_reply_decides_only_after_it_has_come(office, box: Mailbox, monkeypatch):
    """The state of the file while the message is under way: whoever copies it then gets an unsure message."""
    set_up(office, box)
    message = queued(office)
    states: list[str] = []
    box.at = {
        "RCPT": lambda: states.append(shown(office, message)["status"]),
        "DATA": lambda: states.append(shown(office, message)["status"]),
    }
    deliver(office)
    assert [*states, shown(office, message)["status"]] == ["queued", "sending", "sent"]
