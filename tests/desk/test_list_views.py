"""Views of lists: own and shared ones, their defaults, and who sees and changes them."""

from typing import Any

from erp.desk.list_views import list_views
from erp.desk.list_views.bodies import NewListView
from tests.conftest import Office
from tests.events import events_of

VIEWS = "/workspace/views"
OVERDUE = {
    "page": "invoices",
    "name": "Overdue > 1000",
    "query": "isOverdue=true&status=issued,partially_paid",
    "columns": [{"key": "number"}, {"key": "customerName", "width": 240}],
    "sort": "-dueDate",
}
COLUMNS = [{"key": "number", "width": None}, {"key": "customerName", "width": 240}]


def view(person: Office, **fields: object) -> dict[str, Any]:
    made: dict[str, Any] = person.ok("POST", VIEWS, {"page": "invoices", "name": "Mine", **fields})
    return made


def names(person: Office, page: str = "invoices") -> list[str]:
    return [shown["name"] for shown in person.ok("GET", VIEWS, params={"page": page})]


def test_a_view_is_kept_shown_changed_and_deleted(acme: Office) -> None:
    answer = acme.call("POST", VIEWS, OVERDUE)
    made = answer.json["data"]
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/v1{VIEWS}/{made['id']}")
    expected = {**OVERDUE, "columns": COLUMNS, "isShared": False, "isDefault": False, "isDefaultForAll": False}
    assert {name: made[name] for name in expected} == expected
    assert (made["ownerUserId"], made["ownerName"], made["can"]) == (
        acme.user["id"],
        acme.user["name"],
        ["delete", "update"],
    )
    path = f"{VIEWS}/{made['id']}"
    assert acme.ok("GET", path) == made
    changed = acme.ok("PATCH", path, {"sort": None, "columns": []}, headers={"If-Match": '"1"'})
    assert (changed["sort"], changed["columns"], changed["version"]) == (None, [], 2)
    acme.refused("PATCH", path, {"name": "X"}, headers={"If-Match": '"1"'}, status=412)
    assert acme.ok("PATCH", path, changed) == changed  # as it was read
    second = view(acme, name="All")
    assert [shown["id"] for shown in acme.ok("GET", VIEWS)] == [second["id"], made["id"]]
    assert [shown["id"] for shown in acme.ok("GET", VIEWS, params={"page": "bills"})] == []
    acme.ok("DELETE", path)
    acme.refused("GET", path, status=404)
    assert events_of(acme, made["id"]) == ["view.created", "view.updated", "view.deleted"]
    created, updated, *_ = acme.ok("GET", "/workspace/events", params={"resourceId": made["id"], "sort": "seq"})
    about = {"name": "Overdue > 1000", "page": "invoices", "isShared": False, "ownerUserId": acme.user["id"]}
    assert created["data"] == about
    assert updated["data"]["changes"]["sort"] == {"from": "-dueDate", "to": None}


def test_what_a_view_may_hold(acme: Office) -> None:
    wrong = {
        "page": "pages",
        "name": "n" * 61,
        "query": "q" * 1001,
        "sort": "s" * 61,
        "columns": [{"key": "number", "width": 5}],
    }
    error = acme.refused("POST", VIEWS, wrong, status=422)
    assert {each["field"] for each in error["details"]} == {"page", "name", "query", "sort", "columns[0].width"}
    many = [{"key": f"column{number}"} for number in range(31)]
    assert view(acme, name="n" * 60, query="q" * 1000, columns=many[:30])["version"] == 1
    for columns, field in ((many, "columns"), ([{"key": "a"}, {"key": "a"}], "columns[1].key")):
        error = acme.refused("POST", VIEWS, {**OVERDUE, "columns": columns}, status=422)
        assert [each["field"] for each in error["details"]] == [field]
    acme.refused("GET", VIEWS, params={"page": "pages"}, status=400)


def test_a_person_has_fifty_views_of_a_list_and_fifty_are_shared(acme: Office) -> None:
    admin = acme.colleague("admin")
    with acme.books(write=True):
        for number in range(50):
            list_views.add(NewListView(page="invoices", name=f"Own {number}"))
            list_views.add(NewListView(page="invoices", name=f"Shared {number}", is_shared=True))
    for person, shared, status in ((acme, False, 409), (acme, True, 409), (admin, True, 409), (admin, False, 201)):
        answer = person.call("POST", VIEWS, {"page": "invoices", "name": "One more", "isShared": shared})
        assert (answer.status_code, answer.json.get("error", {}).get("code")) == (
            status,
            "too_many" if status == 409 else None,
        )
    assert view(acme, page="bills", name="Own 1")["page"] == "bills"
    own = next(shown for shown in acme.ok("GET", VIEWS, params={"limit": "200"}) if shown["name"] == "Own 1")
    acme.refused("PATCH", f"{VIEWS}/{own['id']}", {"isShared": True}, status=409, code="too_many")
    assert acme.ok("PATCH", f"{VIEWS}/{own['id']}", {"query": "q=x"})["query"] == "q=x"


def test_a_person_has_one_view_of_a_name(acme: Office) -> None:
    first, second = view(acme, name="Late"), view(acme, name="Later", isShared=True)
    for is_shared in (False, True):
        error = acme.refused("POST", VIEWS, {**OVERDUE, "name": "Late", "isShared": is_shared}, status=409)
        assert (error["code"], error["details"][0]["field"]) == ("already_exists", "name")
    acme.refused("PATCH", f"{VIEWS}/{second['id']}", {"name": "Late"}, status=409, code="already_exists")
    admin = acme.colleague("admin")
    assert view(admin, name="Late", isShared=True)["ownerUserId"] == admin.user["id"]
    admin.ok("PATCH", f"{VIEWS}/{second['id']}", {"name": "Latest"})
    acme.refused("PATCH", f"{VIEWS}/{second['id']}", {"name": "Late"}, status=409)
    assert acme.ok("PATCH", f"{VIEWS}/{first['id']}", {"name": "Late"})["version"] == 1


def test_who_sees_shares_and_changes_views(acme: Office) -> None:
    viewer, accountant, member = (acme.colleague(role) for role in ("viewer", "accountant", "member"))
    own = view(accountant, name="Quokka")
    shared = view(accountant, name="Shared", isShared=True)
    assert (names(acme), names(viewer), names(accountant)) == (["Shared"], ["Shared"], ["Quokka", "Shared"])
    for person in (acme, viewer, member):
        person.refused("GET", f"{VIEWS}/{own['id']}", status=404)
        person.refused("DELETE", f"{VIEWS}/{own['id']}", status=404)
    member.refused("GET", VIEWS, params={"page": "invoices"}, status=403)
    member.refused("POST", VIEWS, {"page": "invoices", "name": "X"}, status=403)
    member.refused("GET", f"{VIEWS}/{shared['id']}", status=404)
    member.refused("PATCH", f"{VIEWS}/{shared['id']}", {"isDefault": True}, status=404)
    assert member.ok("GET", VIEWS) == []
    of_tasks = view(member, page="tasks", isShared=True)
    viewer.refused("POST", VIEWS, {"page": "invoices", "name": "X", "isShared": True}, status=403, code="forbidden")
    mine = view(viewer, name="Mine")
    viewer.refused("PATCH", f"{VIEWS}/{mine['id']}", {"isShared": True}, status=403)
    for person in (viewer, acme.colleague("hr")):
        assert person.call("PATCH", f"{VIEWS}/{shared['id']}", {"name": "X"}).status_code in (403, 404)
        assert person.call("DELETE", f"{VIEWS}/{shared['id']}").status_code in (403, 404)
    assert viewer.ok("GET", f"{VIEWS}/{shared['id']}")["can"] == []
    assert acme.ok("PATCH", f"{VIEWS}/{shared['id']}", {"name": "Ours"})["ownerName"] == accountant.user["name"]
    assert accountant.ok("PATCH", f"{VIEWS}/{shared['id']}", {"name": "Shared"})["can"] == ["delete", "update"]

    hits = {person: person.ok("GET", "/workspace/search", params={"q": "shared"}) for person in (viewer, member)}
    assert [(hit["type"], hit["id"], hit["title"], hit["kind"]) for hit in hits[viewer]] == [
        ("view", shared["id"], "Shared", "invoices")
    ]
    assert hits[member] == [] == viewer.ok("GET", "/workspace/search", params={"q": "quokka"})
    heard = {person: _heard(person) for person in (acme, viewer, member)}
    assert heard[acme] >= {own["id"], shared["id"], mine["id"]}
    assert heard[viewer] == {shared["id"], mine["id"], of_tasks["id"]}
    assert shared["id"] not in heard[member]

    member_id = next(
        one["id"] for one in acme.ok("GET", "/workspace/members") if one["user"]["id"] == accountant.user["id"]
    )
    acme.ok("DELETE", f"/workspace/members/{member_id}")  # the shared view of a person who has left stays
    assert names(viewer) == ["Mine", "Shared"]
    assert acme.ok("GET", f"{VIEWS}/{shared['id']}")["ownerName"] == accountant.user["name"]
    acme.ok("DELETE", f"{VIEWS}/{shared['id']}")


def _heard(person: Office) -> set[str]:
    changes = person.ok("GET", "/workspace/changes", params={"after": "0"})["changes"]
    return {change["resource"]["id"] for change in changes if change["type"].startswith("view.")}


def test_a_list_opens_with_ones_own_default_else_with_the_one_for_all(acme: Office) -> None:
    viewer, accountant = acme.colleague("viewer"), acme.colleague("accountant")
    first = view(accountant, name="First", isShared=True, isDefault=True)
    second = view(acme, name="Second", isShared=True, isDefaultForAll=True)
    assert (first["isDefault"], first["isDefaultForAll"], second["isDefault"]) == (True, False, False)
    chosen = viewer.ok("PATCH", f"{VIEWS}/{first['id']}", {"isDefault": True})
    assert (chosen["isDefault"], chosen["version"]) == (True, 1)
    assert [shown["isDefault"] for shown in acme.ok("GET", VIEWS)] == [False, False]
    viewer.ok("PATCH", f"{VIEWS}/{second['id']}", {"isDefault": True})
    assert [shown["isDefault"] for shown in viewer.ok("GET", VIEWS)] == [False, True]
    assert [shown["isDefault"] for shown in accountant.ok("GET", VIEWS)] == [True, False]
    accountant.refused("PATCH", f"{VIEWS}/{first['id']}", {"isDefaultForAll": True}, status=403)
    error = acme.refused("PATCH", f"{VIEWS}/{first['id']}", {"isDefaultForAll": True}, status=409)
    assert (error["code"], error["details"][0]["field"]) == ("already_exists", "isDefaultForAll")
    acme.refused("POST", VIEWS, {**OVERDUE, "isShared": True, "isDefaultForAll": True}, status=409)
    error = acme.refused("POST", VIEWS, {**OVERDUE, "isDefaultForAll": True}, status=422)
    assert error["details"][0]["field"] == "isDefaultForAll"
    acme.refused("PATCH", f"{VIEWS}/{second['id']}", {"isShared": False}, status=422)
    acme.ok("PATCH", f"{VIEWS}/{second['id']}", {"isShared": False, "isDefaultForAll": False})
    assert names(viewer) == ["First"]
    acme.ok("PATCH", f"{VIEWS}/{second['id']}", {"isShared": True})
    assert [shown["isDefault"] for shown in viewer.ok("GET", VIEWS)] == [False, False]
    accountant.ok("DELETE", f"{VIEWS}/{first['id']}")
    assert names(accountant) == ["Second"]
