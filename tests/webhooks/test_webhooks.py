"""Webhooks as they are set up: added, changed, tried, given a new secret, sent again, removed."""

import base64
import logging

import pytest

from erp.webhooks.webhooks import MOST
from tests.conftest import copied
from tests.events import events_of, last_event
from tests.system.backups.backups import backup
from tests.system.transfer.exports import moved
from tests.system.transfer.test_duplicate import duplicate
from tests.webhooks.receiver import WEBHOOKS, contact, deliveries, send, shown, webhook

EXAMPLE = "https://example.com/hooks/erp"


def test_a_webhook_is_shown_with_its_secret_only_when_it_is_made(acme):
    made = acme.ok("POST", WEBHOOKS, {"url": EXAMPLE, "eventTypes": ["invoice.issued"], "note": "Web shop"})
    prefix, key = made.pop("secret").split("_")
    assert (prefix, len(base64.b64decode(key))) == ("whsec", 32)
    assert (made["url"], made["eventTypes"], made["note"]) == (EXAMPLE, ["invoice.issued"], "Web shop")
    assert (made["isActive"], made["offAt"], made["offReason"], made["failingSince"]) == (True, None, None, None)
    assert made["createdByName"] == acme.user["name"]
    assert acme.ok("GET", f"{WEBHOOKS}/{made['id']}") == made
    assert acme.ok("GET", WEBHOOKS) == [made]
    assert acme.ok("PATCH", f"{WEBHOOKS}/{made['id']}", {"note": None})["note"] is None


def test_no_answer_with_a_secret_is_kept_to_be_given_again(acme):
    acme.refused("POST", WEBHOOKS, {"url": EXAMPLE}, headers={"Idempotency-Key": "one"}, status=400)
    assert acme.ok("GET", WEBHOOKS) == []


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("http://example.com/hook", "not_encrypted"),
        ("https://192.168.1.9/hook", "private_address"),
        ("https://169.254.169.254/", "private_address"),
        ("https://[::1]/hook", "private_address"),
        ("https://ada:secret@example.com/", "bad_url"),
        ("https://example.com/#here", "bad_url"),
        ("ftp://example.com/", "bad_url"),
        ("https://exämple.com/", "bad_url"),
        ("https://example.com:0/", "bad_url"),
        ("https:///hook", "bad_url"),
    ],
)
def test_an_address_that_a_webhook_cannot_have_is_refused_by_name(acme, url, code):
    kept = acme.ok("POST", WEBHOOKS, {"url": EXAMPLE})
    for verb, path in (("POST", WEBHOOKS), ("PATCH", f"{WEBHOOKS}/{kept['id']}")):
        error = acme.refused(verb, path, {"url": url}, status=422)
        assert [(each["field"], each["code"]) for each in error["details"]] == [("url", code)]
    assert [each["url"] for each in acme.ok("GET", WEBHOOKS)] == [EXAMPLE]


def test_only_types_that_there_are_can_be_asked_for(acme):
    error = acme.refused("POST", WEBHOOKS, {"url": EXAMPLE, "eventTypes": ["invoice.eaten"]}, status=422)
    assert error["details"][0]["field"] == "eventTypes[0]"
    made = acme.ok("POST", WEBHOOKS, {"url": EXAMPLE, "eventTypes": ["task.created", "task.created"]})
    assert made["eventTypes"] == ["task.created"]


def test_a_workspace_has_at_most_so_many(acme):
    for number in range(MOST):
        acme.ok("POST", WEBHOOKS, {"url": f"{EXAMPLE}/{number}"})
    error = acme.refused("POST", WEBHOOKS, {"url": EXAMPLE}, status=409)
    assert str(MOST) in error["message"]


def test_a_change_is_logged_by_its_host_alone(acme):
    made = acme.ok("POST", WEBHOOKS, {"url": "https://example.com/hooks/s3cret"})
    path = f"{WEBHOOKS}/{made['id']}"
    acme.ok("PATCH", path, {"url": "https://example.org/t0ken", "isActive": False})
    type, data = last_event(acme)
    assert type == "webhook.updated"
    assert data == {"host": "example.org", "eventTypes": [], "changed": ["url", "isActive"]}
    acme.ok("PATCH", path, {"isActive": False})  # nothing changes, so nothing is logged
    acme.ok("POST", f"{path}/rotate-secret", {})
    assert acme.call("DELETE", path).status_code == 200
    acts = ["created", "updated", "rotated", "deleted"]
    assert events_of(acme, made["id"]) == [f"webhook.{act}" for act in acts]
    log = acme.call("GET", "/workspace/events").text
    assert not [secret for secret in ("s3cret", "t0ken", "whsec_") if secret in log]
    assert acme.ok("GET", "/workspace/events/verify")["isValid"]


def test_a_webhook_that_is_switched_off_says_since_when_and_by_whom(office, receiver):
    made = webhook(office, receiver.url)
    off = office.ok("PATCH", f"{WEBHOOKS}/{made['id']}", {"isActive": False})
    assert (off["isActive"], off["offReason"]) == (False, "by_hand")
    assert off["offAt"] is not None
    contact(office)
    send(office)
    assert receiver.received == []


def test_a_change_of_something_that_was_changed_meanwhile_is_refused(acme):
    made = acme.ok("POST", WEBHOOKS, {"url": EXAMPLE})
    path = f"{WEBHOOKS}/{made['id']}"
    acme.ok("PATCH", path, {"note": "Shop"})
    headers = {"If-Match": f'"{made["version"]}"'}
    acme.refused("PATCH", path, {"note": "Till"}, status=412, headers=headers)


def test_after_a_rotation_both_secrets_sign_for_a_while(office, receiver, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    made = webhook(office, receiver.url)
    turned = office.ok("POST", f"{WEBHOOKS}/{made['id']}/rotate-secret", {})
    assert turned["oldSecretValidUntil"] == "2026-03-03T09:00:00.000Z"
    contact(office)
    send(office)
    assert all(receiver.received[-1].is_signed_with(each["secret"]) for each in (made, turned))
    third = office.ok("POST", f"{WEBHOOKS}/{made['id']}/rotate-secret", {"oldValidHours": 2})
    contact(office)
    send(office)
    signers = [receiver.received[-1].is_signed_with(each["secret"]) for each in (made, turned, third)]
    assert signers == [False, True, True]
    clock_at("2026-03-02T11:00:01Z")
    contact(office)
    send(office)
    signers = [receiver.received[-1].is_signed_with(each["secret"]) for each in (made, turned, third)]
    assert signers == [False, False, True]
    assert shown(office, made)["oldSecretValidUntil"] is None


def test_a_secret_that_others_know_ends_at_once(office, receiver):
    made = webhook(office, receiver.url)
    turned = office.ok("POST", f"{WEBHOOKS}/{made['id']}/rotate-secret", {"oldValidHours": 0})
    assert turned["oldSecretValidUntil"] is None
    contact(office)
    send(office)
    signers = [receiver.received[-1].is_signed_with(each["secret"]) for each in (made, turned)]
    assert signers == [False, True]


def test_a_test_is_sent_now_and_shows_what_came_back(office, receiver):
    made = webhook(office, receiver.url, isActive=False)
    receiver.answers(500, b"no such table: orders")
    tried = office.ok("POST", f"{WEBHOOKS}/{made['id']}/test")
    assert receiver.types == ["webhook.test"]
    assert receiver.received[0].is_signed_with(made["secret"])
    assert (tried["status"], tried["responseStatus"], tried["problem"]) == ("given_up", 500, "bad_status")
    assert (tried["answer"], tried["tries"], tried["seq"], tried["can"]) == ("no such table: orders", 1, None, [])
    assert deliveries(office, made) == [tried]
    send(office)  # a test is not tried again, and does not count as a failure
    assert len(receiver.received) == 1
    assert shown(office, made)["failingSince"] is None
    receiver.answers(204)
    assert office.ok("POST", f"{WEBHOOKS}/{made['id']}/test")["status"] == "delivered"
    office.refused("POST", f"{WEBHOOKS}/deliveries/{tried['id']}/redeliver", status=409)


def test_a_delivery_is_sent_again_with_the_same_id(office, receiver):
    made = webhook(office, receiver.url)
    contact(office)
    send(office)
    (delivery,) = deliveries(office, made)
    assert (delivery["status"], delivery["can"]) == ("delivered", ["redeliver"])
    again = office.ok("POST", f"{WEBHOOKS}/deliveries/{delivery['id']}/redeliver")
    assert (again["status"], again["id"]) == ("waiting", delivery["id"])
    send(office)
    first, second = receiver.received
    assert (first.id, first.body) == (second.id, second.body)
    (delivery,) = deliveries(office, made)
    assert (delivery["status"], delivery["tries"]) == ("delivered", 2)
    office.ok("PATCH", f"{WEBHOOKS}/{made['id']}", {"isActive": False})
    assert deliveries(office, made)[0]["can"] == []
    office.refused("POST", f"{WEBHOOKS}/deliveries/{delivery['id']}/redeliver", status=409)


def test_deliveries_are_listed_by_their_status(office, receiver):
    made = webhook(office, receiver.url)
    contact(office, "Taken")
    send(office)
    receiver.answers(503)
    contact(office, "Refused")
    send(office)
    assert [each["status"] for each in deliveries(office, made)] == ["waiting", "delivered"]
    assert [each["status"] for each in deliveries(office, made, "?status=waiting")] == ["waiting"]


def test_a_deleted_webhook_takes_its_deliveries_along(office, receiver):
    made = webhook(office, receiver.url)
    contact(office)
    send(office)
    (delivery,) = deliveries(office, made)
    assert office.call("DELETE", f"{WEBHOOKS}/{made['id']}").status_code == 200
    office.refused("GET", f"{WEBHOOKS}/{made['id']}/deliveries", status=404)
    office.refused("POST", f"{WEBHOOKS}/deliveries/{delivery['id']}/redeliver", status=404)


def test_those_of_another_workspace_are_not_found(office, receiver, stranger):
    made = webhook(office, receiver.url)
    for verb, path in (("GET", ""), ("DELETE", ""), ("POST", "/test"), ("GET", "/deliveries")):
        stranger.refused(verb, f"{WEBHOOKS}/{made['id']}{path}", status=404)
    assert receiver.received == []


def test_nothing_that_is_logged_by_the_program_tells_a_secret(office, receiver, caplog):
    caplog.set_level(logging.DEBUG)
    made = webhook(office, f"{receiver.url}/s3cret")
    receiver.answers(500)
    contact(office)
    send(office)
    assert f"webhook {made['id']}" in caplog.text
    assert "s3cret" not in caplog.text
    assert made["secret"] not in caplog.text


def test_those_of_a_copied_workspace_are_off(office, receiver):
    made = webhook(office, receiver.url)
    original = office.workspace_id
    office.select(duplicate(office))
    copied = shown(office, made)
    assert (copied["isActive"], copied["offReason"]) == (False, "copied")
    contact(office, "In the copy")
    send(office)
    assert receiver.received == []
    office.select(original)
    assert shown(office, made)["isActive"]


def test_those_of_an_imported_workspace_are_off(office, receiver, tmp_path, blank, kept):
    made = webhook(office, receiver.url)
    folder = tmp_path / "exported"
    folder.mkdir()
    there = copied(blank, tmp_path / "there", kept)
    (boss,) = moved(office, there, folder)
    assert shown(boss, made)["offReason"] == "copied"
    assert shown(office, made)["isActive"]


def test_those_of_a_restored_workspace_are_off(office, receiver):
    """What was sent since the backup would be sent again, and what was made again would have the same numbers."""
    made = webhook(office, receiver.url)
    name = backup(office)["name"]
    office.ok("POST", f"/system/backups/{name}/restore", {"workspaceId": office.workspace_id})
    assert shown(office, made)["offReason"] == "copied"
