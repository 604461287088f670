"""The tables of outgoing mail."""

from typing import Literal

from peewee import BooleanField, ForeignKeyField, IntegerField, JSONField, TextField

from erp.kernel.language import Noun
from erp.store.records import WorkspaceRecord, WorkspaceTable, new_id

Security = Literal["starttls", "tls", "none"]
"""`starttls` begins in plain and never stays so; `none` is for private networks alone."""

MessageKind = Literal[
    "invoice", "quote", "reminder", "statement", "payslip", "invite", "password_reset", "notice", "test"
]
Via = Literal["smtp", "eml"]
MessageStatus = Literal[
    "queued",
    "sending",
    "waiting",
    "sent",
    "failed",
    "unsure",
    "cancelled",
    "prepared",
    "handed_over",
    "discarded",
]
RecipientStatus = Literal["pending", "accepted", "refused"]
Role = Literal["to", "cc", "bcc"]

PauseReason = Literal["login_refused"]

Problem = Literal[
    "address_refused",
    "all_refused",
    "copied",
    "interrupted",
    "link_ended",
    "login_not_offered",
    "login_refused",
    "malformed",
    "no_connection",
    "no_reply",
    "refused",
    "server_untrusted",
    "tls_failed",
    "tls_not_offered",
    "try_later",
]
"""The reason why a message has not gone out, or is unsure.

- `address_refused`: the name of the mail server leads to an address to which this server sends nothing
- `all_refused`: the mail server refused each recipient
- `copied`: the workspace was copied or restored before the message had gone out; it may have gone out since
- `interrupted`: this server, or the connection, ended while the message was handed over
- `link_ended`: the record whose link the message brings no longer has one, or the link was revoked
- `login_not_offered`, `login_refused`: the mail server takes no user names, or not this one with its password
- `malformed`: the message cannot be written as mail, such as for an address that is none
- `no_reply`: the mail server did not reply within 120 s after it had the message, or not in a way that says anything
- `refused`: the mail server refused the message, or the conversation before it, for good
- `server_untrusted`: no administrator of this server has set up the mail server, which would see the link
- `try_later`: the mail server refused for now
"""


class MailSettings(WorkspaceRecord):
    """The mail server of the workspace, and the sender; its password is a `SealedSecret`."""

    noun = Noun("mail server")
    sealed = frozenset({"user_name", "from_address", "from_name", "reply_to", "copy_to"})
    derived = frozenset({"pause_reason"})

    host = TextField()
    port = IntegerField(default=587)
    security = TextField(default="starttls")
    user_name = TextField(null=True)
    from_address = TextField()
    from_name = TextField(null=True)
    reply_to = TextField(null=True)
    copy_to = TextField(null=True)
    certificate = TextField(null=True)
    per_hour = IntegerField(default=200)
    pause_reason = TextField(null=True)


class SealedSecret(WorkspaceTable):
    """A password that the program itself must know, encrypted under a key of the installation."""

    is_recorded = False

    owner_id = TextField(primary_key=True)
    value = TextField()


class Message(WorkspaceRecord):
    """A message that goes out, frozen once it is made.

    `sender` is its `address`, `name` and `reply_to`; `recipients` are pairs of a role (to, cc, bcc) and an address, and
    `outcomes` has the status and the reply by address. Where it `has_link`, `{link}` in `text` stands for a secret that
    is new at each try.
    """

    noun = Noun("message")
    sealed = frozenset({"sender", "recipients", "subject", "text"})
    derived = frozenset({"status", "outcomes", "tries", "next_at", "began_at", "problem", "reply", "sent_at"})

    kind = TextField()
    resource_type = TextField()
    resource_id = TextField()
    resource_number = TextField(null=True)
    via = TextField()
    status = TextField()
    sender = JSONField()
    recipients = JSONField()
    outcomes = JSONField(default=dict)
    subject = TextField()
    text = TextField()
    has_link = BooleanField(default=False)
    message_id = TextField()
    once_key = TextField(null=True)
    tries = IntegerField(default=0)
    next_at = TextField(null=True)
    began_at = TextField(null=True)
    problem = TextField(null=True)
    reply = TextField(null=True)
    sent_at = TextField(null=True)
    retry_of_id = TextField(null=True)

    def addresses(self, *roles: Role) -> list[str]:
        """The addresses of its recipients in these roles, or of all."""
        return [address for role, address in self.recipients if not roles or role in roles]


class MessageFile(WorkspaceTable):
    """A file of a message."""

    id = TextField(primary_key=True, default=new_id)
    message = ForeignKeyField(Message, lazy_load=False)
    position = IntegerField()
    name = TextField()
    media_type = TextField()
    size = IntegerField()
    sha256 = TextField()

    message_id: str
