"""What many tests of the books ask of an office."""

from erp.store.events import Event


def events_of(office, id):
    """The types of a record's events, in order."""
    with office.books():
        return [event.type for event in Event.select().where(Event.resource_id == id).order_by(Event.seq)]


def complaint(error):
    """The field and code of a refusal's only complaint."""
    (found,) = error["details"]
    return found["field"], found["code"]


def refuse_every_change(viewer, collection, path, body):
    """See that somebody who may only look changes nothing of a record, nor adds one."""
    for verb, where, sent in (
        ("POST", collection, body),
        ("PATCH", path, {"name": "Mine"}),
        ("DELETE", path, None),
        ("POST", f"{path}/archive", None),
        ("POST", f"{path}/unarchive", None),
    ):
        viewer.refused(verb, where, sent, status=403, code="forbidden")


def refuse_stale_changes(office, path):
    """See that whoever expects an older version changes nothing of a record."""
    office.ok("PATCH", path, {"name": "First"}, headers={"If-Match": '"1"'})
    for verb, where, sent in (
        ("PATCH", path, {"name": "Late"}),
        ("DELETE", path, None),
        ("POST", f"{path}/archive", None),
    ):
        office.refused(verb, where, sent, status=412, code="version_mismatch", headers={"If-Match": '"1"'})
    assert office.ok("GET", path)["name"] == "First"
