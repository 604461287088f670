"""The roles in words, for people who invite and people who are invited."""

from tests.matrix import EVERY_ROLE

BOOKS = "the books: accounts, invoices, payments and reports"


def told(person, role):
    """What a person reads of a role."""
    return next(each for each in person.ok("GET", "/workspace/roles") if each["role"] == role)


def test_every_member_reads_what_each_role_sees_and_may_change(acme):
    everything = acme.ok("GET", "/workspace/roles")
    assert [each["role"] for each in everything] == EVERY_ROLE.split()
    for role in ("member", "viewer"):
        assert acme.colleague(role).ok("GET", "/workspace/roles") == everything


def test_a_viewer_reads_the_books_and_changes_none_of_them(acme):
    viewer = told(acme, "viewer")
    assert BOOKS in viewer["sees"]
    assert viewer["changes"] == [
        "their own clock times, and requests to correct them",
        "their own requests for leave",
        "their own expense claims",
    ]
    assert viewer["sentence"].startswith("Viewer. Sees: the workspace's settings; ")
    assert "finance.read" in viewer["permissions"]
    assert "finance.write" not in viewer["permissions"]


def test_of_two_rights_to_the_same_only_the_broader_is_told(acme):
    assert "everyone's logged time" in told(acme, "manager")["changes"]
    assert "their own logged time" not in told(acme, "manager")["sees"]
    assert told(acme, "member")["changes"][0] == "new tasks, and those they created, reported or are assigned to"


def test_an_invite_tells_what_its_role_sees_and_may_change(acme):
    invite = acme.ok("POST", "/workspace/invites", {"email": "ann@example.com", "role": "viewer"})
    offer = acme.installation.call("POST", "/workspace/invites/preview", {"token": invite["token"]}).json["data"]
    viewer = told(acme, "viewer")
    assert (offer["sees"], offer["changes"]) == (viewer["sees"], viewer["changes"])


def test_the_rights_of_a_role_are_told_in_the_language_of_the_reader(acme):
    german = acme.ok("GET", "/workspace/roles", headers={"Accept-Language": "de"})
    viewer = next(each for each in german if each["role"] == "viewer")
    assert viewer["sees"][:2] == ["die Einstellungen des Arbeitsbereichs", "die Mitglieder"]
    assert viewer["sentence"].startswith("Nur lesen. Sieht: die Einstellungen des Arbeitsbereichs; ")
    english = acme.ok("GET", "/workspace/roles")
    for one, other in zip(english, german, strict=True):
        assert set(one["sees"] + one["changes"]).isdisjoint(other["sees"] + other["changes"]), one["role"]
