"""Tasks for tests, made and read over HTTP."""

import json

from erp.store.events import Event


def add(office, title="Design", **fields):
    """A new task."""
    return office.ok("POST", "/tasks", {"title": title, **fields})


def change(office, task, **fields):
    """A task, changed."""
    return office.ok("PATCH", f"/tasks/{task['id']}", fields)


def refuse_change(office, task, answer, code, /, **fields):
    """See that a change is refused; the error."""
    return office.refused("PATCH", f"/tasks/{task['id']}", fields, status=answer, code=code)


def shown(office, task):
    """A task as it is now."""
    return office.ok("GET", f"/tasks/{task['id']}")


def project(office, name, **fields):
    """A new project that is under way."""
    return office.ok("POST", "/projects", {"name": name, "status": "active", **fields})


def titles(office, **params):
    """The titles of the tasks that a query lists."""
    return [task["title"] for task in office.ok("GET", "/tasks", params=params)]


def last_event(office, type):
    """The data of the newest event of that type."""
    with office.books():
        return json.loads(Event.select().where(Event.type == type).order_by(Event.seq.desc()).first().data)
