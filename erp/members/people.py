"""People: the users whom the records of a workspace name as owners, assignees and authors."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import Any

from peewee import BooleanField, TextField

from erp.kernel import caller, clock, complaints
from erp.kernel.errors import Complaint
from erp.kernel.language import Noun
from erp.store import control, sql, workspace_settings
from erp.store.control import Member, User, email_key
from erp.store.records import WorkspaceTable
from erp.store.router import WORKSPACE

ME = "me"
"""The value of a filter that means the caller."""


class Person(WorkspaceTable):
    """Someone whom the workspace's records still name: a former member, or a user where it was imported from.

    `is_erased` means that the name is an alias, which comes before the name of the user.
    """

    id = TextField(primary_key=True)
    name = TextField()
    is_erased = BooleanField(default=False)


_REMEMBER = (
    "INSERT INTO person (id, name) VALUES (?, ?)"
    " ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE NOT is_erased"
)
_ALIAS = (
    "INSERT INTO person (id, name, is_erased) VALUES (?, ?, 1)"
    " ON CONFLICT (id) DO UPDATE SET name = excluded.name, is_erased = true"
)


def remember(data: Mapping[str, Any]) -> None:
    """Keep the name of a member who has gone, within the workspace's transaction.

    Args:
        data: of the event `member.removed` or `member.left`.
    """
    WORKSPACE.run_many(_REMEMBER, [*names([data["userId"]]).items()])


def give_alias(user_id: str, alias: str) -> None:
    """Let the open workspace name a user by an alias from now on."""
    WORKSPACE.run(_ALIAS, (user_id, alias))


def strangers(user_ids: Collection[str]) -> set[str]:
    """The ids that do not belong to an active member of the caller's workspace."""
    others = set(user_ids) - {caller.current().user_id}
    if not others:
        return set()
    with control.read():
        active = (Member.workspace == caller.current().workspace_id) & Member.has_access()
        rows = Member.select(Member.user).where(active, sql.among(Member.user, others))
        return others - {row.user_id for row in rows}


def look_up(named: Mapping[str, str | None]) -> list[Complaint]:
    """Complaints about the fields that name no active member.

    Args:
        named: user ids by the path of the field that names them.
    """
    unknown = strangers([user_id for user_id in named.values() if user_id is not None])
    return [complaints.unknown(field, Noun("member")) for field, user_id in named.items() if user_id in unknown]


def names(user_ids: Collection[str]) -> dict[str, str]:
    """The names of users by id, of present and former members and of people in the table `person`."""
    ids = set(user_ids)
    with control.read():
        users = User.select(User.id, User.name).where(sql.among(User.id, ids))
        by_id = {user.id: user.name for user in users}
    people = Person.select().where(sql.among(Person.id, ids))
    by_id |= {person.id: person.name for person in people if person.is_erased or person.id not in by_id}
    return by_id


def is_known(user_id: str) -> bool:
    """Whether a user is or was a member of the open workspace, or is known to it from an import."""
    if Person.find_by(id=user_id) is not None:
        return True
    with control.read():
        here = (Member.workspace == caller.current().workspace_id) & (Member.user == user_id)
        return bool(Member.select().where(here).exists())


def left_behind() -> set[str]:
    """User ids in the workspace's records that have no user here."""
    known = {id for (id,) in WORKSPACE.rows("SELECT id FROM person")}
    with control.read():
        return known - {row.id for row in User.select(User.id).where(sql.among(User.id, known))}


def by_email(emails: Collection[str]) -> dict[str, str]:
    """The ids of the active members with these e-mail addresses, by `email_key`."""
    with control.read():
        rows = (
            User.select(User.id, User.email_key)
            .join(Member)
            .where(Member.workspace == caller.current().workspace_id, Member.has_access())
            .where(sql.among(User.email_key, {email_key(email) for email in emails}))
        )
        return {row.email_key: row.id for row in rows}


def emails() -> dict[str, str]:
    """The e-mail addresses of the active members by user id."""
    with control.read():
        rows = (
            User.select(User.id, User.email)
            .join(Member)
            .where(Member.workspace == caller.current().workspace_id, Member.has_access())
        )
        return {row.id: row.email for row in rows}


def employee_ids(user_ids: Collection[str]) -> dict[str, str]:
    """The ids of the employee records of users in the open workspace, by user."""
    statement = "SELECT user_id, id FROM employee WHERE user_id IN (SELECT value FROM json_each(?))"
    return dict(WORKSPACE.rows(statement, (sql.array(user_ids),)))


def meant(user_id: str) -> str:
    """The user id that a filter means; `me` is the caller."""
    return caller.current().user_id if user_id == ME else user_id


def zone(user_id: str | None = None) -> str:
    """A user's own time zone, else the open workspace's; by default for the caller."""
    who = caller.current()
    if user_id is None or user_id == who.user_id:
        return who.time_zone or workspace_settings.time_zone()
    return WORKSPACE.memo(f"zone of {user_id}", lambda: _own_zone(user_id)) or workspace_settings.time_zone()


def _own_zone(user_id: str) -> str | None:
    return own_zones([user_id]).get(user_id)


def own_zones(user_ids: Collection[str]) -> dict[str, str]:
    """The time zones that users have chosen for themselves."""
    if not user_ids:
        return {}
    with control.read():
        rows = User.select(User.id, User.time_zone).where(sql.among(User.id, user_ids))
        return {row.id: row.time_zone for row in rows if row.time_zone}


def today(user_id: str | None = None) -> date:
    """Today in a user's time zone, by default the caller's."""
    return clock.today(zone(user_id))
