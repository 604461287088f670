"""Passwords: which are accepted, how they are stored, and what a flood of them costs."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier, Event

import pytest
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError

from erp.auth import guessable, passwords
from erp.auth.passwords import hash_password, needs_rehash, verify, weakness
from erp.kernel.errors import Busy
from erp.kernel.slots import Slots
from tests.conftest import THOROUGH

ANNA = ("anna@acme.example", "Anna Maria Lindqvist")


def test_the_right_password_is_recognised_and_another_is_not() -> None:
    stored = hash_password("correct horse battery")
    assert verify(stored, "correct horse battery")
    assert not verify(stored, "correct horse batterz")


def test_a_password_is_stored_with_our_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "_HASHER", THOROUGH)
    assert hash_password("correct horse battery").startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_two_people_with_one_password_have_different_hashes() -> None:
    assert hash_password("correct horse battery") != hash_password("correct horse battery")


def test_a_password_typed_with_composed_or_combining_letters_is_the_same() -> None:
    assert verify(hash_password("Zo\u00eb from Z\u00fcrich"), "Zoe\u0308 from Zu\u0308rich")


def test_blanks_around_a_password_belong_to_it() -> None:
    assert not verify(hash_password(" correct horse battery "), "correct horse battery")


def test_nobody_signs_in_as_an_unknown_user() -> None:
    assert not verify(None, "correct horse battery")
    assert not verify(None, "")


def test_an_unknown_user_is_verified_against_a_hash_of_the_same_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    known = THOROUGH.hash("correct horse battery")

    class Recorder(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]
            checked.append(str(hash))
            return False

    monkeypatch.setattr(passwords, "_HASHER", Recorder())
    verify(None, "correct horse battery")
    (unknown,) = checked
    assert unknown.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert [len(part) for part in unknown.split("$")] == [len(part) for part in known.split("$")]


def test_a_damaged_hash_is_an_error_and_not_a_wrong_password() -> None:
    with pytest.raises(InvalidHashError):
        verify("damaged", "correct horse battery")


def test_a_hash_with_older_parameters_needs_a_new_one() -> None:
    assert needs_rehash(PasswordHasher(time_cost=1, memory_cost=1024, parallelism=1).hash("correct horse battery"))
    assert not needs_rehash(hash_password("correct horse battery"))


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("nine char", "too_short"),
        ("e\u0308" * 9, "too_short"),
        ("ten chars.", None),
        ("\u00eb\u00e8" + "correct" + "\u00ea", None),
        ("Long stable words " * 7 + "!!", None),
        ("E\u0308a\u0308long stable " * 9 + "!!", None),
        ("x" * 129, "too_long"),
        ("anna@acme.example", "too_guessable"),
        ("Anna@ACME.example", "too_guessable"),
        ("anna maria lindqvist", "too_guessable"),
        ("anna maria lindqvist 7", "too_guessable"),
        (" anna@acme.example", "too_guessable"),
        ("Anna.Lindqvist!2024", "too_guessable"),
        ("maria24121990", "too_guessable"),
        ("2024 AcmeAcme", "too_guessable"),
        ("Kolibri&Sons24", "too_guessable"),
        ("anna 8374659201 and more", None),
        ("anna likes horses", None),
    ],
)
def test_a_new_password_is_judged_by_length_and_by_whose_it_is(password: str, code: str | None) -> None:
    refused = weakness(password, *ANNA, "Kolibri & Sons")
    assert (refused and refused[0]) == code


def test_a_name_with_combining_letters_is_still_the_same_name() -> None:
    assert weakness("Zo\u00eb Z\u00fcrcher", "zoe@acme.example", "Zoe\u0308 Zu\u0308rcher") == (
        "too_guessable",
        guessable.PERSONAL,
    )


@pytest.mark.parametrize(
    "password",
    [
        *("aaaaaaaaaa", "ZZZZZZZZZZZZ", "1111111111", "          ", "aaaaabbbbb", "x" * 128),
        *("abcabcabcabc", "abcabcabcab", "1212121212", "hallo1hallo1", "-=-=-=-=-="),
        *("abcdefghij", "ABCDEFGHIJ", "jihgfedcba", "abcdefghij!", "abcdef123456"),
        *("1234567890", "0123456789", "0987654321", "12345678901234", "112233445566"),
        *("qwertzuiop", "qwertyuiop", "azertyuiop", "poiuztrewq", "asdfghjkl1", "yxcvbnm123", "qwertz12345"),
    ],
)
def test_repeated_and_neighbouring_characters_are_refused(password: str) -> None:
    assert weakness(password, *ANNA) == ("too_guessable", guessable.PATTERN)


@pytest.mark.parametrize(
    "password",
    [
        "password123",
        "Password2024!",
        "PASSWORD!!",
        "1q2w3e4r5t",
        "liverpool1",
        "football2026",
        "mypassword",
        "123Sommer123",
    ],
)
def test_the_most_common_passwords_are_refused_also_with_digits_added(password: str) -> None:
    assert weakness(password, *ANNA) == ("too_guessable", guessable.COMMON)


@pytest.mark.parametrize(
    "password",
    [
        *("correct horse battery", "staple of the long stable", "welcome-to-the-demo", "kT9#vLq2xW", "g7Rw-p2Zx-88Qm"),
        *("horse 8374659201", "football in the old garden", "Donaudampfschiff", "7F3c0e91aB4d"),
    ],
)
def test_words_that_have_nothing_to_do_with_each_other_and_random_characters_are_accepted(password: str) -> None:
    assert weakness(password, *ANNA) is None


def test_at_least_the_three_thousand_most_common_passwords_are_known() -> None:
    assert len(guessable.common()) >= 3000
    for word in ("123456", "password", "qwerty", "dragon", "letmein", "iloveyou", "passwort", "hallo"):
        assert guessable.is_common(word)
    for word in ("", "a", "zzzzzzzz9", "123456,password", "hallo,"):
        assert not guessable.is_common(word)


def test_a_message_says_what_is_better() -> None:
    for message in (guessable.COMMON, guessable.PATTERN, guessable.PERSONAL):
        assert message.endswith("Use three or more unrelated words.")


def test_judging_a_password_takes_less_than_a_millisecond() -> None:
    guessable.common()
    began = time.thread_time()
    for number in range(100):
        weakness(f"staple of the long stable {number} " + "x7" * 45, *ANNA, "Kolibri & Sons")
    assert time.thread_time() - began < 100 * 0.001


def test_starting_the_program_does_not_read_the_list() -> None:
    started = "import erp.app; from erp.auth import guessable; print(guessable.common.cache_info().currsize)"
    said = subprocess.run([sys.executable, "-c", started], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "0"


def test_when_all_slots_and_the_queue_are_taken_a_request_is_refused_at_once() -> None:
    slots = Slots(places=1, queue=0, patience=60)
    with slots.take(), pytest.raises(Busy), slots.take():
        pass


def test_a_request_that_waits_too_long_is_refused() -> None:
    slots = Slots(places=1, queue=1, patience=0.01)
    with slots.take(), pytest.raises(Busy), slots.take():
        pass


def test_of_many_at_once_only_the_slots_and_the_queue_are_served() -> None:
    slots, start, refused = Slots(places=2, queue=2, patience=60), Barrier(9), Event()

    def attempt() -> bool:
        start.wait()
        try:
            with slots.take():
                return refused.wait(20)
        except Busy:
            return False

    with ThreadPoolExecutor(9) as pool:
        attempts = [pool.submit(attempt) for _ in range(9)]
        while sum(done.done() for done in attempts) < 5:
            refused.wait(0.001)
        refused.set()
    assert sorted(attempt.result() for attempt in attempts) == [False] * 5 + [True] * 4


def test_a_slot_and_a_place_in_the_queue_come_free_again() -> None:
    slots = Slots(places=1, queue=1, patience=0.01)
    for _ in range(3):
        with slots.take(), pytest.raises(Busy), slots.take():
            pass
    with pytest.raises(ValueError, match="spilled"), slots.take():
        raise ValueError("spilled")
    with slots.take():
        pass


def test_hashing_and_verifying_each_take_a_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = hash_password("correct horse battery")
    slots = Slots(places=1, queue=0)
    monkeypatch.setattr(passwords, "slot", slots.take)
    with ExitStack() as held:
        held.enter_context(slots.take())
        with pytest.raises(Busy):
            hash_password("correct horse battery")
        with pytest.raises(Busy):
            verify(stored, "correct horse battery")
    assert verify(stored, "correct horse battery")
