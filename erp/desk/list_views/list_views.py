"""Views: the rules of making, sharing, changing and deleting them."""

from functools import partial
from typing import Any, Literal

import msgspec

from erp.desk.list_views.bodies import ListViewChange, NewListView
from erp.desk.list_views.models import PERMISSIONS, ListView
from erp.kernel import caller
from erp.kernel.errors import AlreadyExists, Forbidden, Invalid, NotFound, Refusal
from erp.kernel.language import says
from erp.store import changes, events
from erp.store.router import WORKSPACE
from erp.store.sql import Condition, array

Action = Literal["delete", "update"]

MOST = 50
"""The most own views of a person, and the most shared ones, of a list."""


class TooMany(Refusal):
    """A list has at most {most} views of your own and {most} shared ones. Delete one first."""


def readable_pages() -> list[str]:
    """The lists that the caller may see."""
    return [page for page, permission in PERMISSIONS.items() if caller.may(permission)]


def visible() -> Condition:
    """The condition that the caller sees a view: their own and the shared ones, of lists that they may see."""
    sql = "(created_by = :viewer OR is_shared) AND page IN (SELECT value FROM json_each(:viewed_pages))"
    return Condition(sql, {"viewer": caller.current().user_id, "viewed_pages": array(readable_pages())})


def find(id: str) -> ListView:
    """A view that the caller sees.

    Raises:
        NotFound: there is none with that id.
    """
    view = ListView.find(id)
    if not (view.is_own or view.is_shared) or not caller.may(PERMISSIONS[view.page]):
        raise NotFound(ListView.noun.missing())
    return view


def check_page(page: str) -> None:
    """Refuse a caller who may not see a list."""
    if not caller.may(PERMISSIONS[page]):
        raise caller.refusal(PERMISSIONS[page])


def check_change(view: ListView) -> None:
    """Refuse a caller who may only look at a view."""
    if not (view.is_own or caller.may("workspace.write")):
        raise Forbidden(says("Only the person who made this view, an owner or an admin can change it."))


def add(body: NewListView) -> ListView:
    """Keep a view.

    Raises:
        Forbidden: the caller may not see the list, or not share, or not choose for all.
        AlreadyExists: the caller has a view of that name, or another is the default for all.
        TooMany: there are as many as there may be.
    """
    check_page(body.page)
    values = msgspec.structs.asdict(body) | {"columns": msgspec.to_builtins(body.columns)}
    is_default = values.pop("is_default")
    view = ListView(**values)
    _check(view, {name for name in ("name", "is_shared", "is_default_for_all") if values[name]} | {"count"})
    view.save(force_insert=True)
    _choose(view, wanted=is_default)
    events.write("view.created", "view", view.id, event_data(view))
    return view


def change(id: str, body: ListViewChange) -> ListView:
    """Change a view, or only whether the caller's list opens with it.

    Raises:
        Forbidden: the caller may not change it, or not share, or not choose for all.
        AlreadyExists: its owner has another of that name, or another is the default for all.
        TooMany: there are as many as there may be.
    """
    view = find(id)
    view.check_version()
    sent = body.changes()
    is_default = sent.pop("is_default", view.id in defaults())
    if "columns" in sent:
        sent["columns"] = msgspec.to_builtins(sent["columns"])
    values = changes.differing(view, sent)
    data = {"changes": changes.before_and_after(view, values)}
    if values:
        check_change(view)
        _check(view, values.keys() | ({"count"} if "is_shared" in values else set()), **values)
        view.change(**values)
        _forget_hidden(view)
    if _choose(view, wanted=is_default):
        data["changes"]["isDefault"] = {"from": not is_default, "to": is_default}
    if data["changes"]:
        events.write("view.updated", "view", id, event_data(view) | data)
    return view


def remove(id: str) -> None:
    """Delete a view: the list opens as usual for those whose default it was."""
    view = find(id)
    view.check_version()
    check_change(view)
    changes.delete(view, says("The view is in use."), event_data)


def defaults() -> set[str]:
    """The ids of the views with which lists open for the caller."""
    rows = WORKSPACE.rows("SELECT view_id FROM list_view_default WHERE user_id = ?", (caller.current().user_id,))
    return {id for (id,) in rows}


def event_data(view: ListView) -> dict[str, Any]:
    return {"name": view.name, "page": view.page, "isShared": view.is_shared, "ownerUserId": view.created_by}


def _check(view: ListView, touched: set[str], **values: Any) -> None:
    """Refuse what a view would become.

    Args:
        touched: the names of its new values, and `count` if it joins the own or the shared ones.
        values: new values, if it is there already.
    """
    name, is_shared = values.get("name", view.name), values.get("is_shared", view.is_shared)
    is_for_all = values.get("is_default_for_all", view.is_default_for_all)
    if "is_shared" in touched and is_shared and caller.current().role == "viewer":
        raise Forbidden(says("Your role cannot share views. Ask an owner or admin."))
    if "is_default_for_all" in touched and not caller.may("workspace.write"):
        raise Forbidden(says("Only an owner or an admin can choose the view that a list opens with for all."))
    if is_for_all and not is_shared:
        message = says("Only a shared view can be the one that the list opens with for all.")
        raise Invalid.one("isDefaultForAll", "not_shared", message)
    others = [other for other in _of_page(view.page) if other.id != view.id]
    if "name" in touched and any(other.created_by == view.created_by and other.name == name for other in others):
        raise AlreadyExists(says("There is already a view with the name {name}.", name=name), field="name")
    if "is_default_for_all" in touched and is_for_all:
        for other in (other for other in others if other.is_default_for_all):
            message = says("The list already opens with {name} for all. Clear that first.", name=other.name)
            raise AlreadyExists(message, field="isDefaultForAll")
    alike = [other for other in others if other.is_shared == is_shared]
    if "count" in touched and sum(is_shared or other.created_by == view.created_by for other in alike) >= MOST:
        raise TooMany(most=MOST)


def _of_page(page: str) -> list[ListView]:
    return ListView.fetch("SELECT * FROM list_view WHERE page = ?", page)


def _choose(view: ListView, *, wanted: bool) -> bool:
    """Let the caller's list open with a view, or no longer; return whether that is new."""
    who = caller.current().user_id
    if wanted == (view.id in defaults()):
        return False
    WORKSPACE.run("DELETE FROM list_view_default WHERE user_id = ? AND page = ?", (who, view.page))
    if wanted:
        row = who, view.page, view.id
        WORKSPACE.run("INSERT INTO list_view_default (user_id, page, view_id) VALUES (?, ?, ?)", row)
    return True


def _forget_hidden(view: ListView) -> None:
    """A view that is no longer shared is not the default of others."""
    if not view.is_shared:
        query = "DELETE FROM list_view_default WHERE view_id = ? AND user_id <> ?"
        WORKSPACE.run(query, (view.id, view.created_by))


def actions(view: ListView) -> list[Action]:
    """Actions open to the caller now."""
    check = partial(check_change, view)
    return caller.allowed("workspace.read", {"delete": check, "update": check})
