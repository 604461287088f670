"""What happens in a workspace reaches its webhooks: signed, in order, and again until it is taken."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from erp.delivery.waits import WAITS
from erp.kernel import clock
from erp.store import control, events
from erp.store.router import WORKSPACE
from erp.webhooks import background, posting
from erp.webhooks import deliveries as rules
from erp.webhooks.sender import Sender
from erp.webhooks.waking import BELL
from tests.servers import wait_for
from tests.webhooks.receiver import WEBHOOKS, Answer, Receiver, contact, deliveries, send, shown, webhook

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def later(clock_at, **time: float) -> None:
    clock_at((START + timedelta(**time)).isoformat())


def test_an_event_arrives_as_the_log_shows_it_and_is_verified_by_the_standard(office, receiver):
    made = webhook(office, receiver.url)
    id = contact(office)
    send(office)
    office.ok("POST", "/workspace/views", {"page": "invoices", "name": "Overdue"})  # concerns no other program
    send(office)
    (received,) = receiver.received
    assert (received.path, received.headers["content-type"]) == ("/hook", "application/json")
    message = Webhook(made["secret"]).verify(received.body, received.headers)
    (event,) = office.ok("GET", "/workspace/events?type=contact.created")
    assert message == {"type": "contact.created", "timestamp": event["occurredAt"], "data": event}
    assert (received.id, event["resource"]["id"]) == (event["id"], id)
    with pytest.raises(WebhookVerificationError):
        Webhook(made["secret"]).verify(received.body.replace(b"contact", b"invoice"), received.headers)
    send(office)
    assert len(receiver.received) == 1


def test_only_the_types_that_were_asked_for_are_sent_in_their_order(office, receiver):
    made = webhook(office, receiver.url, "contact.created", "project.created")
    before = shown(office, made)["position"]
    contact(office, "A")
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"legalName": "Acme Ltd"})
    office.ok("POST", "/projects", {"name": "Website"})
    contact(office, "B")
    send(office)
    assert receiver.types == ["contact.created", "project.created", "contact.created"]
    assert [received.message["data"]["seq"] - before for received in receiver.received] == [1, 3, 4]
    assert shown(office, made)["position"] == before + 4


def test_what_was_before_the_webhook_is_not_sent(office, receiver):
    contact(office)
    webhook(office, receiver.url)
    send(office)
    assert receiver.received == []


def test_nothing_is_sent_of_a_change_that_was_undone(office, receiver):
    webhook(office, receiver.url)
    office.refused("POST", "/finance/contacts", {"kind": "customer", "name": ""}, status=422)

    def undone():
        with office.books(write=True):
            events.write("contact.created", "contact", "x", {})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        undone()
    send(office)
    assert receiver.received == []


def test_each_webhook_of_each_workspace_gets_its_own(office, receiver):
    stranger = office.installation.office("Sam")
    webhook(office, f"{receiver.url}/olga")
    webhook(office, f"{receiver.url}/olga2")
    webhook(stranger, f"{receiver.url}/sam")
    contact(stranger)
    contact(office)
    send(office)
    assert sorted(received.path for received in receiver.received) == [
        "/hook/olga",
        "/hook/olga",
        "/hook/olga2",
        "/hook/sam",
    ]


def test_the_list_of_deliveries_says_what_came_back(office, receiver):
    receiver.answers(200, b"thank you\x00\x1b" + b"x" * 5000)
    made = webhook(office, receiver.url)
    contact(office)
    send(office)
    (row,) = deliveries(office, made)
    assert (row["eventType"], row["status"], row["tries"], row["responseStatus"]) == (
        "contact.created",
        "delivered",
        1,
        200,
    )
    assert row["answer"].startswith("thank youxxx")
    assert len(row["answer"]) == 1022
    assert (row["problem"], row["nextAt"], row["can"]) == (None, None, ["redeliver"])
    assert row["eventId"] == receiver.received[0].id
    assert deliveries(office, made, "?status=waiting") == []


def test_a_failed_event_is_sent_again_with_growing_delay_and_then_given_up(office, receiver, clock_at):
    later(clock_at)
    receiver.answers(500, b"no")
    made = webhook(office, receiver.url)
    contact(office)
    sender = Sender(office.installation.config)
    send(office, sender)
    passed = timedelta()
    for tries, wait in enumerate(WAITS, start=1):
        (row,) = deliveries(office, made)
        assert (row["status"], row["tries"]) == ("waiting", tries)
        assert (row["problem"], row["responseStatus"]) == ("bad_status", 500)
        passed += wait
        assert row["nextAt"] == clock.stamp(START + passed)
        later(clock_at, seconds=passed.total_seconds() - 0.001)
        send(office, sender)
        assert len(receiver.received) == tries
        later(clock_at, seconds=passed.total_seconds())
        send(office, sender)
        assert len(receiver.received) == tries + 1
    (row,) = deliveries(office, made)
    assert (row["status"], row["tries"], row["nextAt"]) == ("given_up", 10, None)
    assert len({received.id for received in receiver.received}) == 1
    assert len({received.headers["webhook-timestamp"] for received in receiver.received}) == 10
    assert all(received.is_signed_with(made["secret"]) for received in receiver.received)
    later(clock_at, days=4)
    send(office, sender)
    assert len(receiver.received) == 10


def test_an_event_that_fails_holds_up_no_other(office, receiver, clock_at):
    later(clock_at)
    receiver.answer = lambda received: Answer(500 if "Bad" in str(received.message["data"]["data"]) else 204)
    made = webhook(office, receiver.url)
    for name in ("Bad", "Good", "Better"):
        contact(office, name)
    send(office)
    assert [row["status"] for row in deliveries(office, made)] == ["delivered", "delivered", "waiting"]
    receiver.answers(204)
    later(clock_at, seconds=5)
    send(office)
    assert [row["status"] for row in deliveries(office, made)] == ["delivered", "delivered", "delivered"]
    assert shown(office, made)["failingSince"] is None


def test_an_address_that_is_down_is_asked_every_few_minutes_and_then_gets_all_in_order(office, receiver, clock_at):
    later(clock_at)
    receiver.answers(503)
    made = webhook(office, receiver.url)
    for number in range(20):
        contact(office, f"Customer {number}")
    sender = Sender(office.installation.config)
    for second in range(0, 3600, 5):
        later(clock_at, seconds=second)
        send(office, sender)
    assert 10 < len(receiver.received) < 25, "twelve an hour, and a few in the first minutes"
    state = shown(office, made)
    assert (state["isActive"], state["failingSince"]) == (True, "2026-03-02T09:00:00.000Z")
    receiver.answers(204)
    receiver.received.clear()
    for second in range(3600, 8 * 3600, 60):
        later(clock_at, seconds=second)
        send(office, sender)
    assert {row["status"] for row in deliveries(office, made)} == {"delivered"}
    assert len(receiver.received) == 20
    assert shown(office, made)["failingSince"] is None


def test_a_webhook_that_fails_for_five_days_is_switched_off_and_says_so(office, receiver, clock_at):
    later(clock_at)
    receiver.answers(500)
    made = webhook(office, receiver.url)
    contact(office)
    send(office)
    later(clock_at, days=4, hours=23)
    contact(office)
    send(office)
    assert shown(office, made)["isActive"]
    later(clock_at, days=5)
    contact(office)
    send(office)
    state = shown(office, made)
    assert (state["isActive"], state["offReason"], state["offAt"]) == (False, "failing", "2026-03-07T09:00:00.000Z")
    assert {row["status"] for row in deliveries(office, made)} == {"given_up"}
    (event,) = office.ok("GET", "/workspace/events?type=webhook.switched_off")
    assert (event["data"]["reason"], event["data"]["host"]) == ("failing", "127.0.0.1")
    count = len(receiver.received)
    later(clock_at, days=9)
    contact(office)
    send(office)
    assert len(receiver.received) == count


def test_an_address_that_is_gone_is_switched_off_at_once(office, receiver):
    receiver.answers(410)
    made = webhook(office, receiver.url)
    contact(office)
    contact(office)
    send(office)
    assert len(receiver.received) == 1
    state = shown(office, made)
    assert (state["isActive"], state["offReason"]) == (False, "gone")
    (row,) = deliveries(office, made)
    assert (row["status"], row["responseStatus"], row["can"]) == ("given_up", 410, [])


def test_switched_on_again_it_begins_with_what_happens_from_then_on(office, receiver):
    made = webhook(office, receiver.url)
    office.ok("PATCH", f"{WEBHOOKS}/{made['id']}", {"isActive": False})
    assert shown(office, made)["offReason"] == "by_hand"
    contact(office, "Missed")
    send(office)
    office.ok("PATCH", f"{WEBHOOKS}/{made['id']}", {"isActive": True})
    contact(office, "Heard")
    send(office)
    assert [received.message["data"]["data"]["name"] for received in receiver.received] == ["Heard"]


def test_other_types_count_from_the_change_on(office, receiver):
    made = webhook(office, receiver.url, "contact.created")
    sender = Sender(office.installation.config)
    office.ok("POST", "/projects", {"name": "Before"})
    send(office, sender)
    office.ok("PATCH", f"{WEBHOOKS}/{made['id']}", {"eventTypes": ["contact.created", "project.created"]})
    office.ok("POST", "/projects", {"name": "After"})
    send(office, sender)
    assert [received.message["data"]["data"]["name"] for received in receiver.received] == ["After"]


def test_other_types_do_not_lose_what_is_still_to_be_sent(office, receiver):
    made = webhook(office, receiver.url, "contact.created")
    office.ok("POST", "/projects", {"name": "Before"})
    contact(office, "Waiting")
    office.ok("PATCH", f"{WEBHOOKS}/{made['id']}", {"eventTypes": ["contact.created", "project.created"]})
    send(office)
    assert receiver.types == ["contact.created"]


def test_a_crash_between_sending_and_noting_sends_again_with_the_same_id(office, receiver, monkeypatch):
    made = webhook(office, receiver.url)
    contact(office)

    class PowerFailed(Exception):
        pass

    def fail(*_: object) -> None:
        raise PowerFailed

    monkeypatch.setattr(rules, "note", fail)
    send(office)
    assert len(receiver.received) == 1
    assert deliveries(office, made) == []
    monkeypatch.undo()
    send(office)
    assert len(receiver.received) == 2
    assert len({received.id for received in receiver.received}) == 1
    assert [row["tries"] for row in deliveries(office, made)] == [1]


def test_deleted_while_it_is_sent_nothing_is_noted_and_nothing_more_is_sent(office, receiver):
    made = webhook(office, receiver.url)
    contact(office)
    contact(office)

    def delete(received: object) -> Answer:
        office.ok("DELETE", f"{WEBHOOKS}/{made['id']}")
        return Answer(500)

    receiver.answer = delete
    send(office)
    assert len(receiver.received) == 1
    office.refused("GET", f"{WEBHOOKS}/{made['id']}/deliveries", status=404)
    with office.books():
        assert WORKSPACE.rows("SELECT id FROM webhook_delivery") == []
        assert WORKSPACE.rows("SELECT id FROM webhook_secret") == []


def test_switched_off_while_it_is_sent_it_is_not_tried_again(office, receiver):
    made = webhook(office, receiver.url)
    contact(office)

    def switch_off(received: object) -> Answer:
        office.ok("PATCH", f"{WEBHOOKS}/{made['id']}", {"isActive": False})
        return Answer(500)

    receiver.answer = switch_off
    send(office)
    (row,) = deliveries(office, made)
    assert (row["status"], row["nextAt"]) == ("given_up", None)
    assert shown(office, made)["failingSince"] is None


def test_nothing_is_sent_while_the_workspace_is_archived(office, receiver):
    webhook(office, receiver.url)
    contact(office)
    office.ok("POST", f"/workspace/{office.workspace_id}/archive")
    send(office)
    assert receiver.received == []
    office.ok("POST", f"/workspace/{office.workspace_id}/unarchive")
    send(office)
    assert receiver.types == ["contact.created", "workspace.archived", "workspace.unarchived"]


def test_two_threads_never_send_to_a_webhook_at_once(office, receiver):
    webhook(office, receiver.url)
    for number in range(6):
        contact(office, f"Customer {number}")
    under_way, most, lock = 0, 0, threading.Lock()
    arrived, go = threading.Event(), threading.Event()

    def answer(received: object) -> Answer:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        arrived.set()
        assert go.wait(5)
        with lock:
            under_way -= 1
        return Answer()

    receiver.answer = answer
    sender = Sender(office.installation.config)
    (key,) = sender.ready()
    threads = [threading.Thread(target=sender.serve, args=(key,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert arrived.wait(5)
    contact(office, "While it is being sent")
    sender.serve(key)
    go.set()
    for thread in threads:
        thread.join()
    assert most == 1
    assert len(receiver.received) == len({received.id for received in receiver.received}) == 7


def test_what_was_passed_over_is_noted_now_and_then(office, receiver, monkeypatch):
    monkeypatch.setattr("erp.webhooks.sender.PASSED_OVER", 3)
    made = webhook(office, receiver.url, "invoice.issued")
    sender, before = Sender(office.installation.config), shown(office, made)["position"]
    contact(office, "A")
    send(office, sender)
    assert shown(office, made)["position"] == before
    for name in "BC":
        contact(office, name)
    send(office, sender)
    assert shown(office, made)["position"] == before + 3
    assert receiver.received == []


def test_an_event_costs_the_request_nothing_more(office, receiver, monkeypatch):
    """What a write does to the file is the same with a webhook and without one."""
    contact(office, "First")

    def statements() -> list[str]:
        seen: list[str] = []
        execute = type(WORKSPACE).execute_sql

        def counted(router, sql, *parameters, **named):
            seen.extend([sql] if router is WORKSPACE else [])
            return execute(router, sql, *parameters, **named)

        with monkeypatch.context() as patch:
            patch.setattr(type(WORKSPACE), "execute_sql", counted)
            contact(office, "Next")
        return seen

    without = statements()
    webhook(office, receiver.url)
    assert statements() == without


def test_old_deliveries_are_forgotten_and_waiting_ones_are_not(office, receiver, clock_at):
    later(clock_at)
    made = webhook(office, receiver.url)
    contact(office)
    send(office)
    later(clock_at, days=30)
    contact(office)
    send(office)
    assert len(deliveries(office, made)) == 2
    later(clock_at, days=30, seconds=1)
    send(office)
    assert len(deliveries(office, made)) == 1


@pytest.fixture
def _patient(monkeypatch):
    monkeypatch.setattr(posting, "SECONDS", 5.0)


@pytest.mark.usefixtures("_patient")
def test_the_server_sends_by_itself_soon_after_a_write(office, receiver: Receiver):
    with background.running(office.installation.config, first_look=0.01):
        made = webhook(office, receiver.url)
        contact(office, "One")
        wait_for(lambda: len(receiver.received) == 1)
        contact(office, "Two")
        wait_for(lambda: [row["status"] for row in deliveries(office, made)] == ["delivered"] * 2)
    contact(office, "Three")
    assert len(receiver.received) == 2


@pytest.mark.usefixtures("_patient")
def test_a_receiver_that_is_slow_does_not_keep_others_waiting(office, receiver: Receiver):
    go = threading.Event()

    def answer(received):
        if received.path.endswith("slow"):
            go.wait(5)
        return Answer()

    receiver.answer = answer
    with background.running(office.installation.config, first_look=0.01):
        webhook(office, f"{receiver.url}/slow")
        webhook(office, f"{receiver.url}/fast", "contact.created")
        contact(office, "One")
        wait_for(lambda: [each.path for each in receiver.received].count("/hook/fast") == 1)
        contact(office, "Two")
        wait_for(lambda: [each.path for each in receiver.received].count("/hook/fast") == 2)
        is_waiting = not go.is_set() and "/hook/slow" in [each.path for each in receiver.received]
        go.set()
    assert is_waiting


def test_a_write_of_a_workspace_without_webhooks_wakes_nobody(office):
    path = control._in_folder(office.installation.config.workspaces_dir, office.workspace_id)
    BELL.watched.discard(path)
    BELL.take()
    BELL.wait(0)
    BELL.on_written(path)
    assert BELL.take() == set()
    assert not BELL._rung.is_set()
