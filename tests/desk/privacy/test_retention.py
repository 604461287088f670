"""How long personal data is kept, and whose time is over."""

from erp.store import router
from tests.desk.privacy.people import ASKED, NAME, WORKING, amounts, days, erase, events, hired, leaver, left, sign_in
from tests.refusals import complaint

LEAST = {"profile": 0, "attendance": 2, "leave": 3, "files": 3, "payroll": 6, "documents": 8, "books": 10}


def test_the_years_of_the_law_count_until_an_office_wants_more(acme):
    assert acme.ok("GET", "/workspace/retention") == {"years": LEAST, "least": LEAST}
    changed = acme.ok("PATCH", "/workspace/retention", {"attendance": 4})
    assert changed == {"years": LEAST | {"attendance": 4}, "least": LEAST}
    assert [event["data"] for event in events(acme, "retention.updated")] == [{"attendance": {"from": 2, "to": 4}}]
    assert acme.ok("PATCH", "/workspace/retention", {"attendance": 2})["years"] == LEAST


def test_less_than_the_law_requires_is_refused(acme):
    error = acme.refused("PATCH", "/workspace/retention", {"payroll": 5, "leave": 3}, status=422)
    assert complaint(error) == ("payroll", "too_short")
    assert error["details"][0]["message"] == "The law requires at least 6 years."
    assert acme.ok("GET", "/workspace/retention")["years"] == LEAST


def test_longer_years_keep_what_would_go(acme, clock_at):
    eve = leaver(acme, clock_at)
    acme.ok("PATCH", "/workspace/retention", {"attendance": 4})
    shown = erase(acme, "employee", eve, dry_run=True)
    assert days(shown["keeps"])["attendance"] == "2027-12-31"
    assert amounts(shown["erases"]) == {"profile": 1}


def test_who_is_due_is_proposed_until_they_are_erased(acme, clock_at):
    assert acme.ok("GET", "/workspace/retention/due") == []
    eve = leaver(acme, clock_at)
    (due,) = acme.ok("GET", "/workspace/retention/due")
    assert (due["kind"], due["id"], due["name"]) == ("employee", eve, NAME)
    assert amounts(due["erases"]) == {"profile": 1, "attendance": 1}
    assert acme.ok("GET", "/workspace/home")["retentionDue"] == {"total": 1, "items": [due]}
    assert acme.colleague("manager").ok("GET", "/workspace/home")["retentionDue"] is None
    erase(acme, "employee", eve)
    assert acme.ok("GET", "/workspace/retention/due") == []
    assert acme.ok("GET", "/workspace/home")["retentionDue"] is None
    clock_at("2027-01-01T09:00:00Z")
    sign_in(acme)
    assert amounts(acme.ok("GET", "/workspace/retention/due")[0]["erases"]).keys() == {"leave", "files"}


def test_leavers_are_looked_for_together(acme, clock_at, monkeypatch):
    """Home asks each table once, however many have left."""

    def statements():
        asked = []
        execute = router.WORKSPACE.execute_sql

        def counted(*query):
            asked.append(query)
            return execute(*query)

        with monkeypatch.context() as patched:
            patched.setattr(router.WORKSPACE, "execute_sql", counted)
            due = acme.ok("GET", "/workspace/retention/due")
        return len(asked), [(one["name"], amounts(one["erases"])) for one in due]

    leaver(acme, clock_at)
    one, _ = statements()
    clock_at(WORKING)
    left(acme, hired(acme, name="Adam", email="adam@example.com", userId=None), "2023-06-01")
    clock_at(ASKED)
    two, due = statements()
    assert due == [(NAME, {"profile": 1, "attendance": 1}), ("Adam", {"profile": 1})]
    assert two == one


def test_an_archived_contact_is_proposed_when_its_documents_are_over(acme, clock_at):
    clock_at("2026-03-02T09:00:00Z")
    customer = acme.ok("POST", "/finance/contacts", {"kind": "customer", "name": "Alster", "email": "a@alster.example"})
    acme.ok("POST", f"/finance/contacts/{customer['id']}/archive")
    clock_at("2034-12-31T09:00:00Z")
    sign_in(acme)
    assert acme.ok("GET", "/workspace/retention/due") == []
    clock_at("2035-01-02T09:00:00Z")
    sign_in(acme)
    (due,) = acme.ok("GET", "/workspace/retention/due")
    assert (due["kind"], due["id"]) == ("contact", customer["id"])
    assert acme.colleague("hr").ok("GET", "/workspace/retention/due") == []
