"""People: the users that other records of a workspace name as owners, assignees and authors."""

import json
from collections.abc import Collection, Mapping
from datetime import date

from peewee import TextField

from erp.kernel import caller, clock
from erp.kernel.errors import Complaint, UnknownReference
from erp.store import control, workspace_settings
from erp.store.control import Member, User, email_key
from erp.store.records import WorkspaceTable
from erp.store.router import WORKSPACE

ME = "me"
"""How a filter names the caller."""


class Person(WorkspaceTable):
    """Somebody whom records name by the user id of another installation, from which the workspace came."""

    id = TextField(primary_key=True)
    name = TextField()


def strangers(user_ids: Collection[str]) -> set[str]:
    """Those of the ids that are of no active member of the caller's workspace."""
    wanted = set(user_ids) - {caller.current().user_id}
    if not wanted:
        return set()
    with control.read():
        rows = Member.select(Member.user).where(
            Member.workspace == caller.current().workspace_id, Member.status == "active", Member.user.in_(wanted)
        )
        return wanted - {row.user_id for row in rows}


def look_up(named: Mapping[str, str | None]) -> list[Complaint]:
    """Complain of the fields that name nobody who is a member.

    Args:
        named: user ids by the path of the field that names them.
    """
    unknown = strangers([user_id for user_id in named.values() if user_id is not None])
    return [
        UnknownReference(field, "member").details[0]
        for field, user_id in named.items()
        if user_id is not None and user_id in unknown
    ]


def names(user_ids: Collection[str]) -> dict[str, str]:
    """The names of users, members still or no longer, by id; also of those who were left behind elsewhere."""
    wanted = set(user_ids)
    with control.read():
        found = {row.id: row.name for row in User.select(User.id, User.name).where(User.id.in_(wanted))}
    if wanted > found.keys():
        found |= {row.id: row.name for row in Person.select().where(Person.id.in_(wanted - found.keys()))}
    return found


def members() -> dict[str, str]:
    """The names of the caller's workspace's members by user id, with the suspended and those left behind elsewhere."""
    with control.read():
        rows = User.select(User.id, User.name).join(Member).where(Member.workspace == caller.current().workspace_id)
        found = {row.id: row.name for row in rows}
    return dict(WORKSPACE.rows("SELECT id, name FROM person")) | found


def left_behind() -> set[str]:
    """The ids that the workspace's records name people by who have no user with that id in this installation."""
    known = {id for (id,) in WORKSPACE.rows("SELECT id FROM person")}
    with control.read():
        return known - {row.id for row in User.select(User.id).where(User.id.in_(known))}


def by_email(emails: Collection[str]) -> dict[str, str]:
    """The ids of the active members with these e-mail addresses, by `email_key`."""
    with control.read():
        rows = (
            User.select(User.id, User.email_key)
            .join(Member)
            .where(Member.workspace == caller.current().workspace_id, Member.status == "active")
            .where(User.email_key.in_({email_key(email) for email in emails}))
        )
        return {row.email_key: row.id for row in rows}


def employee_ids(user_ids: Collection[str]) -> dict[str, str]:
    """The ids of the employee records of users in the open workspace, by user."""
    sql = "SELECT user_id, id FROM employee WHERE user_id IN (SELECT value FROM json_each(?))"
    return dict(WORKSPACE.rows(sql, (json.dumps(list(user_ids)),)))


def meant(user_id: str) -> str:
    """The user id that a filter names: `me` is the caller."""
    return caller.current().user_id if user_id == ME else user_id


def zone(user_id: str | None = None) -> str:
    """The time zone that a user lives by, the caller by default: her own, else that of the workspace that is open."""
    who = caller.current()
    if user_id is None or user_id == who.user_id:
        return who.time_zone or workspace_settings.time_zone()
    return WORKSPACE.memo(f"zone of {user_id}", lambda: _own_zone(user_id)) or workspace_settings.time_zone()


def _own_zone(user_id: str) -> str | None:
    with control.read():
        row = User.select(User.time_zone).where(User.id == user_id).get_or_none()
    return None if row is None else row.time_zone


def today(user_id: str | None = None) -> date:
    """The present day where a user is, the caller by default."""
    return clock.today(zone(user_id))
