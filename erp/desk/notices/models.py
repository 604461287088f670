"""The tables of notices."""

from peewee import CompositeKey, IntegerField, JSONField, TextField

from erp.store.records import WorkspaceTable, new_id


class Notice(WorkspaceTable):
    """A message to a user about a record; `event_seq` is the newest of the `count` events that it tells.

    An unread notice gets a new id with each further event: a reader who marks an id as read has seen all that it tells.
    """

    is_recorded = False

    id = TextField(primary_key=True, default=new_id)
    user_id = TextField()
    kind = TextField()
    resource_type = TextField()
    resource_id = TextField()
    event_seq = IntegerField()
    count = IntegerField()
    created_at = TextField()
    read_at = TextField(null=True)
    mailed_at = TextField(null=True)


class MutedNotice(WorkspaceTable):
    """A kind of notices that a user does not want."""

    is_recorded = False

    user_id = TextField()
    kind = TextField()

    class Meta:
        primary_key = CompositeKey("user_id", "kind")


class NoticeMail(WorkspaceTable):
    """A kind of notices that a user wants by mail as well: `now` or `daily`."""

    is_recorded = False

    user_id = TextField()
    kind = TextField()
    mail = TextField()

    class Meta:
        primary_key = CompositeKey("user_id", "kind")


class NoticeSchedule(WorkspaceTable):
    """The time and the days of a user's daily mail, and the day for which it was made last."""

    is_recorded = False

    user_id = TextField(primary_key=True)
    daily_at = TextField(default="07:30")
    days = JSONField(default=lambda: ["mon", "tue", "wed", "thu", "fri"])
    mailed_on = TextField(null=True)
