"""Who has to wait after wrong passwords, and the mark of a browser that spares a user the failures of others."""

import pytest

from erp.auth import attempts, passwords
from erp.auth.throttle import Throttle
from erp.kernel.slots import Slots
from tests.auth.conftest import code_of
from tests.conftest import PASSWORD


def test_after_five_wrong_passwords_one_has_to_wait(anna, sign_in):
    answers = [sign_in(anna.email, "wrong password") for _ in range(6)]
    assert {code_of(answer)[0] for answer in answers} == {401}
    waiting = sign_in(anna.email)
    assert code_of(waiting) == (429, "rate_limited")
    assert 1 <= int(waiting.headers["retry-after"]) <= 60
    assert waiting.headers["retry-after"] in waiting.json["error"]["message"]


def test_someone_who_has_to_wait_is_refused_before_any_hashing(anna, sign_in, monkeypatch):
    for _ in range(6):
        sign_in(anna.email, "wrong password")
    monkeypatch.setattr(passwords, "verify", lambda *_: pytest.fail("hashed"))
    assert code_of(sign_in(anna.email))[0] == 429


def test_nobody_is_locked_out_from_elsewhere(anna, sign_in):
    for _ in range(6):
        sign_in(anna.email.upper(), "wrong password", remote_addr="192.0.2.7")
    assert sign_in(anna.email, remote_addr="192.0.2.7").status_code == 429
    assert sign_in(anna.email, remote_addr="192.0.2.8").status_code == 200


def test_an_address_that_tries_many_users_waits_for_all_who_never_signed_in_there(anna, sign_in, monkeypatch):
    monkeypatch.setattr(passwords, "verify", lambda password_hash, password: False)
    for n in range(30):
        assert sign_in(f"user{n}@example.com", remote_addr="192.0.2.7").status_code == 401
    assert sign_in(anna.email, remote_addr="192.0.2.7").status_code == 429


def clocked(monkeypatch):
    """Count failures by a clock that stands still."""
    throttle = Throttle(lambda: 1000.0)
    monkeypatch.setattr(attempts, "_throttle", lambda data_dir: throttle)


def fail_for_many(sign_in, **options):
    for n in range(30):
        assert sign_in(f"user{n}@elsewhere.example", "wrong password", **options).status_code == 401


def mark_in(answer):
    """The cookie with the marks of the browser that got this answer, if it has them."""
    return next((cookie for name, cookie in answer.cookies.items() if name.startswith("erp_device_")), None)


def marked(answer):
    """The headers of the browser that got this answer, once it is signed out."""
    mark = mark_in(answer)
    return {"Cookie": f"{mark.name}={mark.value}", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def quick(monkeypatch):
    """Compare passwords without hashing them."""
    monkeypatch.setattr(passwords, "verify", lambda password_hash, password: password == PASSWORD)


def test_someone_who_has_signed_in_from_an_address_does_not_wait_for_guesses_at_others_there(
    anna, sign_in, quick, monkeypatch
):
    clocked(monkeypatch)
    ben = anna.installation.newcomer("Ben")
    assert sign_in(anna.email, remote_addr="192.0.2.7").status_code == 200
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    waiting = sign_in(ben.email, remote_addr="192.0.2.7")
    assert (code_of(waiting), waiting.headers["retry-after"]) == ((429, "rate_limited"), "600")
    assert sign_in(anna.email, remote_addr="192.0.2.7").status_code == 200


def test_the_browser_of_a_user_never_waits_for_the_failures_of_others(anna, sign_in, quick, monkeypatch):
    clocked(monkeypatch)
    ben = anna.installation.newcomer("Ben")
    browser = marked(sign_in(ben.email, remote_addr="198.51.100.3"))
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    for _ in range(6):
        sign_in(ben.email, "wrong password", remote_addr="198.51.100.3")
    for address in ("192.0.2.7", "198.51.100.3"):
        assert sign_in(ben.email, remote_addr=address).status_code == 429
        assert sign_in(ben.email, remote_addr=address, headers=browser).status_code == 200


def test_the_browser_of_a_user_waits_for_its_own_failures(anna, sign_in, quick, monkeypatch):
    clocked(monkeypatch)
    browser = marked(sign_in(anna.email))
    for _ in range(6):
        assert sign_in(anna.email, "wrong password", headers=browser).status_code == 401
    assert code_of(sign_in(anna.email, headers=browser)) == (429, "rate_limited")
    assert sign_in(anna.email).status_code == 200


@pytest.mark.parametrize("spoilt", ["", "~~~", "a.b.c", "2999-01-01.x.y", "\u00e9.b.c", "x" * 5000])
def test_a_mark_that_was_made_up_makes_no_browser_known(anna, sign_in, quick, monkeypatch, spoilt):
    clocked(monkeypatch)
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    made_up = {"Cookie": f"{anna.installation.cookie('erp_device')}={spoilt}", "Sec-Fetch-Site": "same-origin"}
    assert sign_in(anna.email, remote_addr="192.0.2.7", headers=made_up).status_code == 429


def test_the_mark_of_one_user_helps_no_one_to_try_another(anna, sign_in, quick, monkeypatch):
    clocked(monkeypatch)
    ben = anna.installation.newcomer("Ben")
    browser = marked(sign_in(ben.email, remote_addr="198.51.100.3"))
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    assert sign_in(anna.email, remote_addr="192.0.2.7", headers=browser).status_code == 429


def test_a_mark_lasts_a_year(anna, sign_in, quick, monkeypatch, clock_at):
    clocked(monkeypatch)
    clock_at("2026-03-01T09:00:00Z")
    browser = marked(sign_in(anna.email, remote_addr="198.51.100.3"))
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    clock_at("2027-03-02T09:00:00Z")
    assert sign_in(anna.email, remote_addr="192.0.2.7", headers=browser).status_code == 429
    clock_at("2027-02-28T09:00:00Z")
    assert sign_in(anna.email, remote_addr="192.0.2.7", headers=browser).status_code == 200


def test_a_browser_that_two_users_share_knows_both_and_keeps_their_marks_when_they_sign_out(
    anna, sign_in, quick, monkeypatch
):
    clocked(monkeypatch)
    ben = anna.installation.newcomer("Ben")
    first = sign_in(anna.email, remote_addr="198.51.100.3")
    second = sign_in(ben.email, remote_addr="198.51.100.3", headers=marked(first))
    out = anna.call("POST", "/auth/logout", headers=marked(second))
    assert mark_in(out) is None
    fail_for_many(sign_in, remote_addr="192.0.2.7")
    for person in (anna, ben):
        assert sign_in(person.email, remote_addr="192.0.2.7", headers=marked(second)).status_code == 200


def test_the_mark_of_a_browser_is_out_of_reach_of_scripts_and_other_sites(anna, sign_in):
    mark = mark_in(sign_in(anna.email))
    assert (mark.http_only, mark.same_site, mark.path, mark.secure) == (True, "Strict", "/", False)
    assert mark.max_age == 365 * 86400
    assert anna.email not in mark.value
    assert anna.user["id"] not in mark.value


def test_a_right_password_clears_the_wrong_ones(anna, sign_in):
    for _ in range(2):
        for _ in range(4):
            assert sign_in(anna.email, "wrong password").status_code == 401
        assert sign_in(anna.email).status_code == 200


def test_when_all_slots_are_taken_the_answer_is_to_try_again(anna, sign_in, monkeypatch):
    monkeypatch.setattr(passwords, "slot", Slots(1, queue=0).take)
    with passwords.slot():
        busy = sign_in(anna.email)
    assert code_of(busy) == (503, "busy")
    assert busy.headers["retry-after"] == "1"
    assert sign_in(anna.email).status_code == 200
