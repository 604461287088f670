"""A POST that is repeated with its key happens once."""

import threading
from collections.abc import Callable

import pytest

from erp.finance.books.models import JournalEntry
from tests.conftest import Installation, Office

ENTRY = {
    "date": "2026-01-31",
    "description": "Rent",
    "lines": [{"accountId": "6100", "debit": "100.00"}, {"accountId": "1010", "credit": "100.00"}],
}
KEY = {"Idempotency-Key": "rent-january"}


def entries(office: Office) -> int:
    with office.books():
        return JournalEntry.select().count()


def test_the_first_answer_is_given_again_byte_for_byte(acme: Office) -> None:
    first = acme.call("POST", "/finance/journals", ENTRY, headers=KEY)
    again = acme.call("POST", "/finance/journals", ENTRY, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.content == first.content
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Content-Type"] == first.headers["Content-Type"]
    assert entries(acme) == 1


def test_another_body_or_path_under_the_same_key_is_refused(acme: Office) -> None:
    acme.ok("POST", "/finance/journals", ENTRY, headers=KEY)
    other = {**ENTRY, "description": "Rent again"}
    acme.refused("POST", "/finance/journals", other, headers=KEY, status=422, code="idempotency_mismatch")
    contact = {"name": "Initech", "kind": "customer"}
    acme.refused("POST", "/finance/contacts", contact, headers=KEY, status=422, code="idempotency_mismatch")
    assert entries(acme) == 1


def test_a_body_in_another_spelling_is_the_same_body(acme: Office) -> None:
    acme.ok("POST", "/finance/journals", ENTRY, headers=KEY)
    respelled = dict(reversed(ENTRY.items()))
    assert acme.call("POST", "/finance/journals", respelled, headers=KEY).status_code == 201
    assert entries(acme) == 1


def test_a_refusal_is_not_kept(acme: Office) -> None:
    unbalanced = {**ENTRY, "lines": [ENTRY["lines"][0], {"accountId": "1010", "credit": "99.00"}]}
    acme.refused("POST", "/finance/journals", unbalanced, headers=KEY, status=422)
    acme.ok("POST", "/finance/journals", ENTRY, headers=KEY)


def test_a_key_belongs_to_its_user(acme: Office) -> None:
    acme.ok("POST", "/finance/journals", ENTRY, headers=KEY)
    acme.colleague("accountant").ok("POST", "/finance/journals", ENTRY, headers=KEY)
    assert entries(acme) == 2


def test_a_key_is_forgotten_after_72_hours(acme: Office, clock_at: Callable[[str], None]) -> None:
    clock_at("2026-02-01T08:00:00Z")
    acme.ok("POST", "/finance/journals", ENTRY, headers=KEY)
    clock_at("2026-02-04T08:00:01Z")
    acme.ok("POST", "/finance/journals", ENTRY, headers=KEY)
    assert entries(acme) == 2


@pytest.mark.parametrize("key", ["", " ", "x" * 256, "with blank", "ümlaut"])
def test_a_key_of_another_kind_is_refused(acme: Office, key: str) -> None:
    acme.refused("POST", "/finance/journals", ENTRY, headers={"Idempotency-Key": key}, status=400, code="bad_parameter")


@pytest.mark.parametrize(
    ("verb", "path", "body"),
    [
        ("POST", "/workspace/invites", {"email": "new@example.com", "role": "member"}),
        ("POST", "/auth/select-workspace", {"workspaceId": None}),
        ("POST", "/auth/login", {"email": "olga@example.com", "password": "correct horse battery"}),
        ("GET", "/finance/journals", None),
    ],
)
def test_where_no_key_is_taken_it_is_refused(acme: Office, verb: str, path: str, body: object) -> None:
    acme.refused(verb, path, body, headers=KEY, status=400, code="bad_parameter")


def test_twenty_at_the_same_moment_are_one(acme: Office) -> None:
    start = threading.Barrier(20)
    answers: list[bytes] = []

    def post() -> None:
        start.wait()
        answers.append(acme.call("POST", "/finance/journals", ENTRY, headers=KEY).content)

    threads = [threading.Thread(target=post) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 20
    assert len(set(answers)) == 1
    assert entries(acme) == 1


def test_a_workspace_is_made_once_under_its_key(installation: Installation) -> None:
    olga = installation.newcomer("Olga")
    first = olga.call("POST", "/workspace", {"name": "Acme"}, headers=KEY)
    again = olga.call("POST", "/workspace", {"name": "Acme"}, headers=KEY)
    assert first.content == again.content
    assert len(olga.ok("GET", "/workspace")) == 1
