"""A reader who has an answer already gets a 304, and never when the answer would be another one."""

import pytest

from erp.store import connections
from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import invoice, line
from tests.tasks.tasks import add

LIST = "/finance/invoices"


def tag(office, path, **headers):
    answer = office.call("GET", path, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.headers.get("ETag")


def asked(office, path, held, **headers):
    """The status of asking whether an answer is still the one that is held."""
    return office.call("GET", path, headers={"If-None-Match": held, **headers}).status_code


@pytest.mark.parametrize(
    "path", [LIST, "/finance/contacts", "/finance/reports/balance-sheet", "/finance/accounts", "/workspace/members"]
)
def test_a_list_or_a_report_that_is_held_is_not_sent_again(acme, path):
    invoice(acme)
    held = tag(acme, path)
    assert held.startswith('W/"')
    answer = acme.call("GET", path, headers={"If-None-Match": f'W/"other", {held}'})
    assert (answer.status_code, answer.content, answer.headers["ETag"]) == (304, b"", held)
    assert "Accept-Encoding" in answer.headers["Vary"]
    head = acme.call("HEAD", path, headers={"If-None-Match": held})
    assert (head.status_code, head.headers["ETag"]) == (304, held)
    assert asked(acme, path, "*") == 200


def test_whoever_changes_anything_the_answer_is_sent_again(acme):
    held = tag(acme, LIST)
    made = invoice(acme.colleague("accountant"))
    assert asked(acme, LIST, held) == 200
    held = tag(acme, LIST)
    acme.ok("PATCH", f"/finance/contacts/{made['customerId']}", {"note": "Called"})
    assert asked(acme, LIST, held) == 200


def test_what_another_program_writes_is_noticed(acme):
    """Not even an event tells of it."""
    customer(acme, "Globex")
    held = tag(acme, "/finance/contacts")
    assert asked(acme, "/finance/contacts", held) == 304
    file = acme.installation.config.workspaces_dir / f"{acme.workspace_id}.db"
    with connections.plain(file) as other:
        other.execute("UPDATE contact SET name = 'Initech'")
    answer = acme.call("GET", "/finance/contacts", headers={"If-None-Match": held})
    assert answer.json["data"][0]["name"] == "Initech"


def test_a_name_that_is_kept_elsewhere_is_sent_again(acme):
    """The names of users are in the control file."""
    colleague = acme.colleague("member")
    held = tag(acme, "/workspace/members")
    colleague.ok("PATCH", "/auth/me", {"name": "Maximiliane"})
    answer = acme.call("GET", "/workspace/members", headers={"If-None-Match": held})
    assert "Maximiliane" in answer.text


def test_a_tag_is_of_one_reader_and_one_role(acme):
    viewer = acme.colleague("viewer")
    invoice(acme)
    held = tag(acme, LIST)
    assert asked(viewer, LIST, held) == 200
    own = tag(viewer, LIST)
    member = next(each for each in acme.ok("GET", "/workspace/members") if each["user"]["id"] == viewer.user["id"])
    acme.ok("PATCH", f"/workspace/members/{member['id']}", {"role": "member"})
    assert asked(viewer, LIST, own) == 403


def test_a_tag_is_of_one_address(acme):
    customer(acme, "Globex")
    held = tag(acme, "/finance/contacts")
    for path in ("/finance/contacts?limit=1", "/finance/contacts?q=x", "/finance/invoices", "/finance/contacts?"):
        assert asked(acme, path, held) == (304 if path.endswith("?") else 200)
    assert acme.call("GET", "/finance/contacts", headers={"If-None-Match": held, "Accept": "text/csv"}).text != ""
    assert acme.call("GET", "/finance/contacts?color=red", headers={"If-None-Match": held}).status_code == 400


def test_tomorrow_the_answer_is_another_one(acme, clock_at):
    """An invoice is overdue on the day after its due date, and nobody has written anything."""
    clock_at("2026-03-31T21:59:00Z")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeZone": "Europe/Berlin"})
    invoice(acme, issueDate="2026-03-01", dueDate="2026-03-31")
    held = tag(acme, LIST)
    assert asked(acme, LIST, held) == 304
    clock_at("2026-03-31T22:01:00Z")
    answer = acme.call("GET", LIST, headers={"If-None-Match": held})
    assert [each["isOverdue"] for each in answer.json["data"]] == [True]


def test_what_shows_the_very_minute_has_no_tag(acme, clock_at):
    clock_at("2026-03-03T09:00:00Z")
    acme.ok("POST", f"/tasks/{add(acme)['id']}/timer/start")
    answer = acme.call("GET", "/tasks/timer")
    held = answer.headers.get("ETag") or 'W/"nothing"'
    clock_at("2026-03-03T09:05:00Z")
    again = acme.call("GET", "/tasks/timer", headers={"If-None-Match": held})
    assert (answer.json["data"]["minutes"], again.json["data"]["minutes"]) == (1, 5)


def test_a_record_keeps_its_version_as_its_tag(acme):
    path = f"/finance/contacts/{customer(acme)['id']}"
    assert tag(acme, path) == '"1"'


def test_a_record_is_not_sent_again_to_a_reader_who_asks(acme):
    path = f"/finance/contacts/{customer(acme)['id']}"
    first = acme.call("GET", path, headers={"If-None-Match": '"1"'})
    held = first.headers["ETag"]
    assert (first.status_code, held[:5]) == (200, 'W/"1-')
    assert asked(acme, path, held) == 304
    changed = acme.call("PATCH", path, {"note": "Called"}, headers={"If-Match": held})
    assert (changed.status_code, changed.headers["ETag"]) == (200, '"2"')
    assert asked(acme, path, held) == 200
    acme.refused("PATCH", path, {"note": "x"}, headers={"If-Match": held}, status=412, code="version_mismatch")


def test_the_same_version_of_an_invoice_is_sent_again_when_its_day_has_come(acme, clock_at):
    clock_at("2026-03-31T09:00:00Z")
    path = f"{LIST}/{invoice(acme, line(), issueDate='2026-03-01', dueDate='2026-03-31')['id']}"
    held = tag(acme, path, **{"If-None-Match": '"1"'})
    assert asked(acme, path, held) == 304
    clock_at("2026-04-01T09:00:00Z")
    answer = acme.call("GET", path, headers={"If-None-Match": held})
    assert answer.json["data"]["isOverdue"] is True


def test_files_and_tables_have_no_tag(acme):
    invoice(acme)
    assert tag(acme, f"{LIST}?format=csv") is None


def test_a_refusal_has_no_tag(acme):
    answer = acme.call("GET", f"{LIST}/none")
    assert (answer.status_code, answer.headers.get("ETag")) == (404, None)


def test_a_file_that_is_gone_is_no_failure_of_the_tag(acme, spoil):
    invoice(acme)
    held = tag(acme, LIST)
    spoil(acme)
    assert asked(acme, LIST, held) == 503
    assert asked(acme, "/auth/session", held) == 200


def test_a_verification_is_made_each_time(acme):
    assert tag(acme, "/workspace/events/verify", **{"If-None-Match": '"0"'}) is None
