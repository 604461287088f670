"""The kiosk: coming and going with a PIN, and all that its token does not open."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from erp.hr.kiosk.models import KioskPin
from erp.hr.kiosk.pins import Attempts
from erp.kernel import tokens
from erp.kernel.errors import RateLimited
from erp.store import control
from erp.store.control import Kiosk as StoredKiosk
from tests.api.endpoints import EVERY, filled
from tests.hr.attendance.records import NOW, employee_at_work
from tests.hr.kiosk.kiosks import set_up, with_pin
from tests.refusals import complaint

NOW_STAMP = "2026-03-11T17:00:00.000Z"
KIOSK_CAN = {("GET", "/kiosk/people"), ("POST", "/kiosk/clock")}


@pytest.fixture(autouse=True)
def _wednesday(clock_at):
    clock_at(NOW)


@pytest.fixture
def mia(acme):
    return with_pin(acme)


@pytest.fixture
def kiosk(acme):
    return set_up(acme)


def test_a_kiosk_of_a_site_shows_the_people_who_work_there(acme, kiosk, mia):
    london = acme.ok("POST", "/hr/sites", {"name": "London", "country": "GB"})["id"]
    with_pin(acme, "Ned Land", siteId=london)
    here = set_up(acme, "Lobby", siteId="London")
    assert here.people() == [("Ned L.", False)]
    assert kiosk.people() == [("Mia T.", False), ("Ned L.", False)]
    assert [one["siteId"] for one in acme.ok("GET", "/hr/kiosks?sort=createdAt")] == [None, london]
    error = acme.refused("POST", "/hr/kiosks", {"name": "Attic", "siteId": "Paris"}, status=422)
    assert complaint(error) == ("siteId", "unknown_reference")
    paris = acme.ok("POST", "/hr/sites", {"name": "Paris", "country": "FR"})["id"]
    there = set_up(acme, "Attic", siteId=paris)
    acme.refused("DELETE", f"/hr/sites/{paris}", status=409, code="in_use")
    acme.ok("DELETE", f"/hr/kiosks/{there.id}")
    acme.ok("DELETE", f"/hr/sites/{paris}")


def record_of(office, employee_id):
    (record,) = office.ok("GET", "/hr/attendance", params={"employeeId": employee_id})
    return office.ok("GET", f"/hr/attendance/{record['id']}")


def test_somebody_comes_and_goes(acme, kiosk, mia, clock_at):
    assert kiosk.people() == [("Mia T.", False)]
    came = kiosk.clocked(mia)
    assert came == {"name": "Mia T.", "isIn": True, "at": NOW_STAMP, "workedMinutes": 0}
    assert kiosk.people() == [("Mia T.", True)]
    clock_at("2026-03-11T17:45:00Z")
    went = kiosk.clocked(mia)
    assert (went["isIn"], went["at"], went["workedMinutes"]) == (False, "2026-03-11T17:45:00.000Z", 45)
    record = record_of(acme, mia)
    assert record["punches"] == [{"in": NOW_STAMP, "out": "2026-03-11T17:45:00.000Z"}]
    assert (record["source"], record["createdByName"]) == ("kiosk", None)
    assert record["createdByUserId"] == kiosk.id
    told = acme.ok("GET", "/workspace/events", params={"resourceId": record["id"]})
    assert {(event["type"], event["actor"]["name"]) for event in told} == {
        ("attendance.clocked_in", "Entrance"),
        ("attendance.clocked_out", "Entrance"),
    }


def test_who_began_at_the_desk_goes_at_the_kiosk(acme, kiosk, mia, clock_at):
    acme.ok("POST", "/hr/attendance/clock-in", {"employeeId": mia})
    clock_at("2026-03-11T18:00:00Z")
    assert kiosk.clocked(mia)["isIn"] is False
    assert record_of(acme, mia)["source"] == "clock"


def test_the_screen_shows_those_who_can_clock_by_a_short_name(acme, kiosk, clock_at):
    with_pin(acme, "Zoe Anna van Dam")
    with_pin(acme, "Cher")
    with_pin(acme, "No Attendance", keepsAttendance=False)
    with_pin(acme, "Not Yet", hireDate="2026-04-01")
    employee_at_work(acme, "Without Pin")
    gone = with_pin(acme, "Leo Left")
    acme.ok("POST", f"/hr/employees/{gone}/terminate", {"date": "2026-03-10"})
    assert kiosk.people() == [("Cher", False), ("Zoe D.", False)]
    answer = kiosk.call("GET", "/kiosk/people").json["data"]
    assert {frozenset(one) for one in answer} == {frozenset({"id", "name", "isIn"})}


def test_a_clock_that_ran_for_a_day_does_not_count_as_in(acme, kiosk, mia, clock_at):
    kiosk.clocked(mia)
    clock_at("2026-03-12T17:00:01Z")
    assert kiosk.people() == [("Mia T.", False)]
    assert kiosk.refused(mia) == (409, "already_clocked_in")


def test_the_refusals_of_a_wrong_pin_tell_nothing(acme, kiosk, mia):
    without = employee_at_work(acme, "Without Pin")
    unknown = "0199d6a2-7c00-7000-8000-00000000dead"
    answers = [kiosk.clock(id, pin="0000").json["error"] for id in (mia, without, unknown)]
    assert {answer["code"] for answer in answers} == {"wrong_pin"}
    assert len({answer["message"] for answer in answers}) == 1
    assert kiosk.refused(mia, pin="0000") == (403, "wrong_pin")
    assert acme.ok("GET", "/hr/attendance") == []


@pytest.mark.parametrize("pin", ["", "123", "123456789", "12 4", "abcd", "١٢٣٤", 4711])
def test_a_pin_has_four_to_eight_digits(acme, kiosk, mia, pin):
    answer = kiosk.call("POST", "/kiosk/clock", {"employeeId": mia, "pin": pin})
    assert (answer.status_code, complaint(answer.json["error"])[0]) == (422, "pin")
    error = acme.refused("PUT", f"/hr/employees/{mia}/kiosk-pin", {"pin": pin}, status=422)
    assert complaint(error)[0] == "pin"


def test_five_wrong_pins_make_a_person_wait_for_a_quarter_of_an_hour(acme, kiosk, mia, monkeypatch):
    ben = with_pin(acme, "Ben Ode", pin="1234")
    other = set_up(acme, "Yard")
    assert [kiosk.refused(mia, pin="0000") for _ in range(5)] == [(403, "wrong_pin")] * 5
    answer = kiosk.clock(mia)
    assert (answer.status_code, answer.json["error"]["code"]) == (429, "rate_limited")
    assert 890 < int(answer.headers["Retry-After"]) <= 900
    assert other.refused(mia) == (429, "rate_limited")
    assert kiosk.clocked(ben, pin="1234")["isIn"] is True
    acme.ok("PUT", f"/hr/employees/{mia}/kiosk-pin", {"pin": "8642"})
    assert kiosk.refused(mia, pin="8642") == (429, "rate_limited")


def test_a_right_pin_forgets_the_wrong_ones(kiosk, mia):
    for _ in range(3):
        assert [kiosk.refused(mia, pin="0000") for _ in range(4)] == [(403, "wrong_pin")] * 4
        kiosk.clocked(mia)


def test_wrong_pins_are_forgotten_after_a_quarter_of_an_hour():
    now = [0.0]
    attempts = Attempts(lambda: now[0])
    for _ in range(5):
        attempts.begin("mia")
    now[0] = 899.0
    with pytest.raises(RateLimited):
        attempts.begin("mia")
    attempts.begin("ben")
    now[0] = 900.0
    for _ in range(5):
        attempts.begin("mia")
    with pytest.raises(RateLimited):
        attempts.begin("mia")


def test_many_guesses_at_once_get_five_tries(kiosk, mia):
    """An attacker with the token, who sends all PINs at the same time."""
    with ThreadPoolExecutor(16) as pool:
        answers = [*pool.map(lambda pin: kiosk.refused(mia, pin=f"{pin:04}"), range(64))]
    assert {status for status, _ in answers} <= {403, 429, 503}
    tried = answers.count((403, "wrong_pin"))
    while (answer := kiosk.refused(mia, pin="0000")) == (403, "wrong_pin"):
        tried += 1
    assert (answer, tried) == ((429, "rate_limited"), 5)


def test_what_waited_in_the_queue_counts_at_its_own_time(acme, kiosk, mia):
    assert kiosk.clocked(mia, at="2026-03-11T08:00:00Z")["isIn"] is True
    went = kiosk.clocked(mia, at="2026-03-11T12:00:00Z")
    assert (went["isIn"], went["at"], went["workedMinutes"]) == (False, "2026-03-11T12:00:00.000Z", 240)
    assert kiosk.refused(mia, at="2026-03-11T11:00:00Z") == (422, "validation_failed")


@pytest.mark.parametrize(
    ("at", "code"),
    [("2026-03-11T17:00:01Z", "future"), ("2026-03-10T16:59:59Z", "too_old"), ("yesterday", "not_an_instant")],
)
def test_a_time_is_at_most_a_day_ago(kiosk, mia, at, code):
    answer = kiosk.clock(mia, at=at)
    assert (answer.status_code, complaint(answer.json["error"])) == (422, ("at", code))
    assert kiosk.clocked(mia, at="2026-03-10T17:00:00Z")["isIn"] is True


def test_a_clocking_that_is_sent_again_counts_once(acme, kiosk, mia):
    key = {"Idempotency-Key": "queue-1"}
    first = kiosk.clock(mia, at="2026-03-11T08:00:00Z", **key)
    again = kiosk.clock(mia, at="2026-03-11T08:00:00Z", **key)
    assert first.json == again.json
    assert kiosk.people() == [("Mia T.", True)]


def test_before_the_first_day_nobody_clocks(acme, kiosk, clock_at):
    later = with_pin(acme, "Not Yet", hireDate="2026-04-01")
    answer = kiosk.clock(later)
    assert complaint(answer.json["error"]) == ("at", "not_employed")


# What the token of a kiosk does not open.


def test_the_token_opens_nothing_else(acme, kiosk):
    opened = {}
    for _, path, verb, contract in EVERY:
        if contract.access == "public" or (verb, path) in KIOSK_CAN:
            continue
        body: dict[str, str] | None = {} if verb != "GET" else None
        answer = kiosk.call(verb, filled(path, workspace_id=acme.workspace_id), body)
        if (answer.status_code, answer.json["error"]["code"]) != (403, "forbidden"):
            opened[verb, path] = answer.status_code
    assert opened == {}


def test_the_token_is_no_cookie(acme, kiosk):
    headers = {"Cookie": f"{acme.installation.cookie()}={kiosk.token}", "Origin": "http://127.0.0.1:8420"}
    answer = acme.installation.call("GET", "/auth/session", headers=headers)
    assert answer.status_code in (401, 403)


@pytest.mark.parametrize("role", ["owner", "hr", "member"])
def test_a_user_is_no_kiosk(acme, role):
    who = acme if role == "owner" else acme.colleague(role)
    for verb, path in KIOSK_CAN:
        body = {"employeeId": "x", "pin": "4711"} if verb == "POST" else None
        who.refused(verb, path, body, status=403, code="forbidden")


def test_nobody_gets_in_with_half_a_token(acme, kiosk):
    for token in (kiosk.token[:-1], kiosk.token + "x", tokens.hashed(kiosk.token), kiosk.id, ""):
        answer = acme.installation.call("GET", "/kiosk/people", headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 401, token
    assert acme.installation.call("GET", "/kiosk/people").status_code == 401


def test_a_kiosk_knows_its_own_workspace_alone(acme, kiosk, mia, stranger):
    theirs = with_pin(stranger, "Sam Other")
    assert kiosk.people() == [("Mia T.", False)]
    assert kiosk.refused(theirs) == (403, "wrong_pin")
    named = kiosk.call("GET", "/kiosk/people", **{"x-workspace-id": stranger.workspace_id})
    assert [one["name"] for one in named.json["data"]] == ["Mia T."]


def test_the_token_dies_with_the_kiosk(acme, kiosk, mia):
    other = set_up(acme, "Yard")
    acme.ok("DELETE", f"/hr/kiosks/{kiosk.id}")
    assert kiosk.refused(mia) == (401, "not_authenticated")
    assert kiosk.call("GET", "/hr/me").status_code == 401
    assert other.people() == [("Mia T.", False)]


def test_the_token_rests_while_the_workspace_is_archived(acme, kiosk, mia):
    acme.ok("POST", f"/workspace/{acme.workspace_id}/archive")
    assert kiosk.refused(mia) == (409, "workspace_archived")
    assert kiosk.call("GET", "/kiosk/people").status_code == 409
    acme.ok("DELETE", f"/hr/kiosks/{kiosk.id}")
    acme.ok("POST", f"/workspace/{acme.workspace_id}/unarchive")
    assert kiosk.refused(mia) == (401, "not_authenticated")


def test_the_token_dies_with_the_workspace(acme, kiosk):
    with acme.acting(), control.write():
        control.Workspace.delete().where(control.Workspace.id == acme.workspace_id).execute()
        assert StoredKiosk.select().count() == 0


def test_neither_token_nor_pin_is_stored(acme, kiosk, mia):
    with acme.books():
        (pin,) = KioskPin.select()
    assert pin.pin_hash.startswith("$argon2id$")
    files = [path.read_bytes() for path in acme.installation.config.data_dir.rglob("*.db*")]
    assert not [file for file in files if kiosk.token.encode() in file]
    told = acme.ok("GET", "/workspace/events")
    assert kiosk.token not in str(told)
    assert "argon2" not in str(told)


# Setting kiosks up.


def test_a_kiosk_is_set_up_listed_and_deleted(acme, clock_at):
    made = acme.ok("POST", "/hr/kiosks", {"name": "Entrance"})
    assert made["token"].startswith("erp_")
    assert made["url"].endswith(f"/kiosk#{made['token']}")
    shown = acme.ok("GET", f"/hr/kiosks/{made['id']}")
    assert shown == {name: value for name, value in made.items() if name not in ("token", "url")}
    assert (shown["name"], shown["createdByName"], shown["lastUsedAt"]) == ("Entrance", acme.user["name"], None)
    kiosk = set_up(acme, "Yard")
    kiosk.people()
    assert [(one["name"], one["lastUsedAt"]) for one in acme.ok("GET", "/hr/kiosks")] == [
        ("Yard", NOW_STAMP),
        ("Entrance", None),
    ]
    acme.ok("DELETE", f"/hr/kiosks/{made['id']}")
    acme.refused("GET", f"/hr/kiosks/{made['id']}", status=404)
    acme.refused("DELETE", f"/hr/kiosks/{made['id']}", status=404)
    told = acme.ok("GET", "/workspace/events", params={"resourceType": "kiosk"})
    assert [(event["type"], event["data"]) for event in told] == [
        ("kiosk.deleted", {"name": "Entrance"}),
        ("kiosk.created", {"name": "Yard"}),
        ("kiosk.created", {"name": "Entrance"}),
    ]


def test_the_token_is_never_repeated(acme):
    answer = acme.call("POST", "/hr/kiosks", {"name": "Entrance"}, headers={"Idempotency-Key": "once"})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "bad_parameter")
    token = acme.ok("POST", "/auth/tokens", {"name": "script", "workspaceId": acme.workspace_id})["token"]
    headers = {"Authorization": f"Bearer {token}"}
    answer = acme.installation.call("POST", "/hr/kiosks", {"name": "Entrance"}, headers=headers)
    assert answer.status_code == 403
    error = acme.refused("POST", "/hr/kiosks", {"name": ""}, status=422)
    assert complaint(error) == ("name", "required")


def test_people_set_their_own_pin_and_hr_everyones(acme, kiosk, clock_at):
    person = acme.colleague("member")
    own = employee_at_work(acme, "Mia Tanner", person)
    other = employee_at_work(acme, "Ben Ode")
    path = f"/hr/employees/{own}/kiosk-pin"
    assert person.ok("GET", path) == {"setAt": None}
    assert person.ok("PUT", path, {"pin": "12345678"}) == {"setAt": NOW_STAMP}
    assert kiosk.clocked(own, pin="12345678")["isIn"] is True
    clock_at("2026-03-11T17:30:00Z")
    hr = acme.colleague("hr")
    assert hr.ok("PUT", path, {"pin": "2468"})["setAt"] == "2026-03-11T17:30:00.000Z"
    assert kiosk.refused(own, pin="12345678") == (403, "wrong_pin")
    assert kiosk.clocked(own, pin="2468")["isIn"] is False
    for who in (person, acme.colleague("manager")):
        for verb, body in (("GET", None), ("PUT", {"pin": "1111"}), ("DELETE", None)):
            who.refused(verb, f"/hr/employees/{other}/kiosk-pin", body, status=403, code="forbidden")
    acme.ok("PUT", f"/hr/employees/{other}/kiosk-pin", {"pin": "1111"})
    for who, id in ((person, own), (hr, other)):
        assert who.ok("DELETE", f"/hr/employees/{id}/kiosk-pin") == {}
        assert who.ok("DELETE", f"/hr/employees/{id}/kiosk-pin") == {}
        assert who.ok("GET", f"/hr/employees/{id}/kiosk-pin") == {"setAt": None}
    assert kiosk.people() == []
    assert kiosk.refused(own, pin="2468") == (403, "wrong_pin")
    told = acme.ok("GET", "/workspace/events", params={"resourceId": own, "limit": 3})
    assert [(event["type"].partition(".")[2], event["data"]) for event in told] == [
        (act, {"employeeNumber": "EMP-0001"}) for act in ("kiosk_pin_removed", "kiosk_pin_set", "kiosk_pin_set")
    ]
