"""Waiting after wrong passwords, with a clock that the test sets."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from erp.auth.throttle import Source, Throttle

HOME, OFFICE, ANNA, BEN = "192.0.2.7", "198.51.100.3", "anna@acme.example", "ben@acme.example"


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def throttle(clock: Clock) -> Throttle:
    return Throttle(clock)


def fail(throttle: Throttle, times: int, address: str = HOME, user: str = ANNA) -> None:
    for _ in range(times):
        throttle.failed(Source(address), user)


def test_nobody_waits_at_first(throttle: Throttle) -> None:
    assert throttle.wait(Source(HOME), ANNA) == 0


def test_five_failures_are_free(throttle: Throttle) -> None:
    fail(throttle, 5)
    assert throttle.wait(Source(HOME), ANNA) == 0


def test_each_further_failure_doubles_the_wait_up_to_a_minute(throttle: Throttle) -> None:
    fail(throttle, 5)
    waits = []
    for _ in range(9):
        fail(throttle, 1)
        waits.append(throttle.wait(Source(HOME), ANNA))
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_a_wait_passes_with_time(throttle: Throttle, clock: Clock) -> None:
    fail(throttle, 8)
    clock.now += 3
    assert throttle.wait(Source(HOME), ANNA) == 1
    clock.now += 1
    assert throttle.wait(Source(HOME), ANNA) == 0


def test_even_after_a_thousand_failures_the_wait_is_a_minute(throttle: Throttle, clock: Clock) -> None:
    for _ in range(1000):
        clock.now += 60
        fail(throttle, 1)
    assert throttle.wait(Source(HOME), ANNA) == 60


def test_the_right_password_clears_all_failures_of_the_user(throttle: Throttle, clock: Clock) -> None:
    fail(throttle, 8)
    clock.now += 4
    throttle.succeeded(Source(HOME), ANNA)
    fail(throttle, 5)
    assert throttle.wait(Source(HOME), ANNA) == 0


def test_anna_does_not_wait_when_someone_guesses_her_password_elsewhere(throttle: Throttle) -> None:
    fail(throttle, 20, OFFICE)
    assert throttle.wait(Source(OFFICE), ANNA) == 60
    assert throttle.wait(Source(HOME), ANNA) == 0


def test_a_colleague_at_the_same_address_does_not_wait(throttle: Throttle) -> None:
    fail(throttle, 20)
    assert throttle.wait(Source(HOME), BEN) == 0


def test_capitals_in_an_e_mail_address_give_no_free_tries(throttle: Throttle) -> None:
    fail(throttle, 6, user="Anna@Acme.example")
    assert throttle.wait(Source(HOME), ANNA) == 1


def test_thirty_failures_of_an_address_in_ten_minutes_stop_it_for_all_users(throttle: Throttle, clock: Clock) -> None:
    for person in range(29):
        fail(throttle, 1, user=f"{person}@acme.example")
        clock.now += 1
    assert throttle.wait(Source(HOME), ANNA) == 0
    fail(throttle, 1, user="29@acme.example")
    assert throttle.wait(Source(HOME), ANNA) == 600 - 29
    assert throttle.wait(Source(OFFICE), ANNA) == 0


def test_an_address_can_try_again_when_its_oldest_failure_is_ten_minutes_ago(throttle: Throttle, clock: Clock) -> None:
    for person in range(30):
        fail(throttle, 1, user=f"{person}@acme.example")
        clock.now += 1
    clock.now += 570
    assert throttle.wait(Source(HOME), ANNA) == 0
    fail(throttle, 1)
    assert throttle.wait(Source(HOME), ANNA) == 1


def test_a_right_password_does_not_clear_the_failures_of_the_address(throttle: Throttle) -> None:
    for person in range(30):
        fail(throttle, 1, user=f"{person}@acme.example")
    throttle.succeeded(Source(HOME), "0@acme.example")
    assert throttle.wait(Source(HOME), ANNA) == 600


@pytest.mark.parametrize(
    ("failing", "trying", "waits"),
    [
        ("2001:db8:0:1::7", "2001:db8:0:1:ffff::8", 1),
        ("2001:db8:0:1::7", "2001:db8:0:2::7", 0),
        ("::ffff:192.0.2.7", "192.0.2.7", 1),
        ("::ffff:192.0.2.7", "::ffff:192.0.2.8", 0),
        ("192.0.2.7", "192.0.2.8", 0),
        ("socket", "socket", 1),
    ],
)
def test_an_address_counts_by_its_network(throttle: Throttle, failing: str, trying: str, waits: int) -> None:
    fail(throttle, 6, failing)
    assert throttle.wait(Source(trying), ANNA) == waits


@pytest.mark.parametrize(
    ("failing", "trying", "waits"),
    [
        ("2001:db8:0:1::7", "2001:db8:0:1:ffff::8", 0),
        ("2001:db8:0:1::7", "2001:db8:0:1::7", 1),
        ("fe80::2%eth0", "fe80::3%eth0", 0),
        ("2001:db8:0:2::7", "2001:db8:0:2::8", 1),
    ],
)
def test_in_a_network_of_this_computer_each_ipv6_address_counts_by_itself(
    clock: Clock, failing: str, trying: str, waits: int
) -> None:
    throttle = Throttle(clock, own_addresses=lambda: ["192.0.2.1", "2001:db8:0:1::1", "fe80::1"])
    fail(throttle, 6, failing)
    assert throttle.wait(Source(trying), ANNA) == waits


def test_a_network_that_this_computer_joins_later_is_its_own_within_a_minute(clock: Clock) -> None:
    addresses: list[str] = []
    throttle = Throttle(clock, own_addresses=lambda: addresses)
    assert throttle.wait(Source("2001:db8:0:1::7"), ANNA) == 0
    addresses.append("2001:db8:0:1::1")
    clock.now += 60
    fail(throttle, 6, "2001:db8:0:1::7")
    assert throttle.wait(Source("2001:db8:0:1::8"), ANNA) == 0


def crowd(throttle: Throttle, address: str = OFFICE) -> None:
    """Thirty wrong passwords of strangers."""
    for person in range(30):
        fail(throttle, 1, address, f"{person}@elsewhere.example")


def test_someone_who_has_signed_in_from_an_address_does_not_wait_for_others_failures_there(throttle: Throttle) -> None:
    throttle.succeeded(Source(OFFICE), ANNA)
    crowd(throttle)
    assert throttle.wait(Source(OFFICE), ANNA) == 0
    assert throttle.wait(Source(OFFICE), BEN) == 600
    throttle.succeeded(Source(HOME), BEN)
    assert throttle.wait(Source(OFFICE), BEN) == 600, "it was another address"


def test_a_known_browser_does_not_wait_for_failures_at_its_address_even_of_the_same_user(throttle: Throttle) -> None:
    crowd(throttle)
    fail(throttle, 20, OFFICE)
    assert throttle.wait(Source(OFFICE), ANNA) == 600
    assert throttle.wait(Source(OFFICE, "Anna's laptop"), ANNA) == 0


def test_a_known_browser_waits_for_its_own_failures_and_no_one_else_does(throttle: Throttle, clock: Clock) -> None:
    laptop = Source(OFFICE, "Anna's laptop")
    for _ in range(40):
        throttle.failed(laptop, ANNA)
    assert throttle.wait(laptop, ANNA) == 60
    assert throttle.wait(Source(HOME, "Anna's laptop"), ANNA) == 60, "wherever it is"
    assert throttle.wait(Source(OFFICE, "Anna's phone"), ANNA) == 0
    assert throttle.wait(Source(OFFICE), BEN) == 0
    clock.now += 60
    throttle.succeeded(laptop, ANNA)
    throttle.failed(laptop, ANNA)
    assert throttle.wait(laptop, ANNA) == 0


def test_memory_is_bounded_and_the_oldest_failures_are_forgotten_first(clock: Clock) -> None:
    throttle = Throttle(clock, capacity=3)
    for host in (1, 2, 3):
        fail(throttle, 6, f"192.0.2.{host}")
    fail(throttle, 1, "192.0.2.1")
    fail(throttle, 6, "192.0.2.4")
    assert [throttle.wait(Source(f"192.0.2.{host}"), ANNA) for host in (1, 2, 3, 4)] == [2, 0, 1, 1]


def test_addresses_are_also_forgotten_when_there_are_more_than_fit(clock: Clock) -> None:
    throttle = Throttle(clock, capacity=2)
    for person in range(30):
        fail(throttle, 1, user=f"{person}@acme.example")
    fail(throttle, 1, "192.0.2.8")
    assert throttle.wait(Source(HOME), ANNA) == 600
    fail(throttle, 1, "192.0.2.9")
    assert throttle.wait(Source(HOME), ANNA) == 0


def test_failures_of_many_threads_are_all_counted(clock: Clock) -> None:
    throttle = Throttle(clock)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda host: fail(throttle, 9, f"192.0.2.{host % 10}"), range(20)))
    assert [throttle.wait(Source(f"192.0.2.{host}"), BEN) for host in range(10)] == [0] * 10
    assert [throttle.wait(Source(f"192.0.2.{host}"), ANNA) for host in range(10)] == [60] * 10


def test_by_default_the_clock_of_the_system_counts() -> None:
    throttle, began = Throttle(), time.monotonic()
    fail(throttle, 12)
    wait = throttle.wait(Source(HOME), ANNA)
    assert 60 - (time.monotonic() - began) <= wait <= 60
