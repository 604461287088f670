"""Notices by mail: soon, or once a day at a time of one's own, in one's own zone and language."""

from erp.desk.notices.mailing import WANTED, Post
from erp.store import control
from erp.store.control import User
from tests.mail.mailbox import MESSAGES, deliver, set_up

PREFERENCES = "/workspace/notice-preferences"


def assign(office, colleague, title):
    office.ok("POST", "/tasks", {"title": title, "assigneeUserIds": [colleague.user["id"]]})


def look(office):
    Post(office.installation.config).look()
    deliver(office)


def test_the_notices_of_a_day_come_in_one_mail_made_once(office, box, clock_at):
    clock_at("2026-03-02T06:00:00Z")  # a Monday
    anna = office.colleague("member")
    anna.ok("PATCH", "/auth/me", {"timeZone": "Europe/Berlin", "locale": "de"})
    wish = {"kinds": {"task_assigned": {"here": True, "mail": "daily"}}, "dailyAt": "08:15"}
    told = anna.ok("PUT", PREFERENCES, wish)
    assert told["kinds"]["task_assigned"] == {"here": True, "mail": "daily"}
    assert told["kinds"]["mention"] == {"here": True, "mail": "off"}
    assert (told["dailyAt"], told["days"]) == ("08:15", ["mon", "tue", "wed", "thu", "fri"])
    assign(office, anna, "Fenster")
    assign(office, anna, "Türen")
    clock_at("2026-03-02T07:30:00Z")
    look(office)
    assert box.received == [], "nothing goes out without a mail server"
    set_up(office, box)
    clock_at("2026-03-02T07:14:00Z")
    look(office)
    assert box.received == [], "08:15 in Berlin is 07:15 in UTC"
    clock_at("2026-03-02T07:15:00Z")
    look(office)
    look(office)
    (received,) = box.received
    assert received.recipients == [anna.email]
    assert received.mail["Auto-Submitted"] == "auto-generated"
    assert "02.03.2026" in str(received.mail["Subject"])
    assert received.text.count("zugewiesen") == 2
    (message,) = office.ok("GET", f"{MESSAGES}?kind=notice")
    assert message["resource"] == {"type": "user", "id": anna.user["id"], "number": None}
    clock_at("2026-03-03T09:00:00Z")
    look(office)
    assert len(box.received) == 1, "none when there is nothing new"
    assign(office, anna, "Dach")
    look(office)
    assert len(box.received) == 1, "the day's mail has had its time"
    clock_at("2026-03-04T09:00:00Z")
    notice = anna.ok("GET", "/workspace/notices?isRead=false")[0]
    anna.ok("POST", "/workspace/notices/read", {"ids": [notice["id"]]})
    look(office)
    assert len(box.received) == 1, "what was read needs no mail"


def test_a_reader_without_a_usable_address_or_in_a_new_zone_holds_up_no_one(office, box, clock_at):
    clock_at("2026-03-02T06:00:00Z")
    set_up(office, box)
    anna, ben = office.colleague("member"), office.colleague("manager")
    with office.acting(), control.write():
        User.update(email="bün@example.com").where(User.id == ben.user["id"]).execute()
    ben.ok("PUT", PREFERENCES, {"kinds": {"task_assigned": {"here": True, "mail": "now"}}})
    anna.ok("PATCH", "/auth/me", {"timeZone": "Europe/Berlin"})
    wish = {"kinds": {"task_assigned": {"here": True, "mail": "daily"}, "mention": {"here": True, "mail": "now"}}}
    anna.ok("PUT", PREFERENCES, {**wish, "dailyAt": "08:15"})
    assign(office, ben, "Tore")
    assign(office, anna, "Fenster")
    clock_at("2026-03-02T08:00:00Z")
    look(office)
    assert [received.recipients for received in box.received] == [[anna.email]]
    clock_at("2026-03-03T08:00:00Z")
    look(office)
    anna.ok("PATCH", "/auth/me", {"timeZone": "Pacific/Honolulu"})
    assign(office, anna, "Dach")
    task = office.ok("POST", "/tasks", {"title": "Türen"})["id"]
    office.ok("POST", f"/tasks/{task}/comments", {"text": "@member: look, please."})
    look(office)
    assert len(box.received) == 2


def test_some_kinds_come_at_once_and_none_without_the_right_to_read_them(office, box, clock_at):
    clock_at("2026-03-02T06:00:00Z")
    set_up(office, box)
    ben = office.colleague("manager")
    ben.ok("PUT", PREFERENCES, {"kinds": {"task_assigned": {"here": True, "mail": "now"}}, "days": ["sun"]})
    assert office.workspace_id in WANTED
    assign(office, ben, "Now")
    look(office)
    look(office)
    (received,) = box.received
    assert "Now" in received.text
    ben.ok("PUT", PREFERENCES, {"kinds": {"task_assigned": {"here": True}}})
    assign(office, ben, "Later")
    look(office)
    assert len(box.received) == 1
    assert office.workspace_id not in WANTED
