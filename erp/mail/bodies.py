"""Request bodies of outgoing mail."""

from collections.abc import Iterable
from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import UNSET, Meta

from erp.kernel.errors import Complaint
from erp.kernel.language import Language, says
from erp.mail.models import MessageKind, MessageStatus, Security, Via
from erp.web.scalars import Day, Email, Id, shaped
from erp.web.schema import Body, RecordQuery, Unset, one_or_several

MOST_RECIPIENTS = 20
LONGEST_TEXT = 10_000

_ONE_LINE = r"^[^\x00-\x1f\x7f\x85\u2028\u2029]*$"
"""Without a line break of any alphabet, which would begin another header."""

Host = Annotated[
    str, Meta(min_length=1, max_length=253, description="The mail server, such as smtp.example.com, or its address.")
]
OneLine = Annotated[str, shaped(_ONE_LINE, says("Must be one line of text."), max_length=200)]
Subject = Annotated[
    str,
    shaped(
        _ONE_LINE,
        says("Must be one line of text."),
        min_length=1,
        max_length=200,
        description="By default from our text.",
    ),
]
Text = Annotated[
    str, Meta(min_length=1, max_length=LONGEST_TEXT, description="Plain text. By default our text for this kind.")
]
Password = Annotated[str, Meta(min_length=1, max_length=500, description="Write-only.")]
Certificate = Annotated[
    str, Meta(min_length=1, max_length=20_000, description="PEM to trust in addition to this computer's certificates.")
]
PerHour = Annotated[int, Meta(ge=1, le=10_000, description="The most messages in an hour; others wait.")]


class MailChange(Body, kw_only=True):
    """The mail server and the sender. The first time, `host` and `fromAddress` are required."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "host": "smtp.example.com",
        "userName": "office@example.com",
        "password": "a long password",
        "fromAddress": "office@example.com",
        "fromName": "Acme",
    }

    host: Host | Unset = UNSET
    port: Annotated[int, Meta(ge=1, le=65535)] | Unset = UNSET
    security: (
        Annotated[
            Security,
            Meta(
                description="`starttls` (usually port 587) and `tls` (465) encrypt, with a checked certificate. `none`"
                " is for private networks, without a password."
            ),
        ]
        | Unset
    ) = UNSET
    user_name: OneLine | Unset | None = UNSET
    password: Password | Unset | None = UNSET
    from_address: Email | Unset = UNSET
    from_name: OneLine | Unset | None = UNSET
    reply_to: Email | Unset | None = UNSET
    copy_to: (
        Annotated[Email, Meta(description="Gets a hidden copy of each message, but of invites and resets.")]
        | Unset
        | None
    ) = UNSET
    certificate: Certificate | Unset | None = UNSET
    per_hour: PerHour | Unset = UNSET


class MailTest(Body):
    """The recipient of a test message."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    to: Annotated[Email, Meta(description="By default your own address.")] | None = None


class Send(Body, kw_only=True):
    """A message, as far as it is not to be as usual."""

    EXAMPLE: ClassVar[dict[str, Any]] = {}

    to: Annotated[list[Email], Meta(description="By default the addresses of the recipient's record.")] | None = None
    cc: list[Email] = []
    subject: Subject | None = None
    text: Text | None = None
    copy_to_self: Annotated[bool, Meta(description="Send a hidden copy to your own address.")] = False
    language: Annotated[Language, Meta(description="Of our text; by default the recipient's.")] | None = None
    via: (
        Annotated[
            Via,
            Meta(
                description="`eml` prepares a file for your own mail program; it is the default while the workspace has"
                " no mail server."
            ),
        ]
        | None
    ) = None
    force: Annotated[bool, Meta(description="Send although the same went to the same in the last 5 minutes.")] = False
    dry_run: Annotated[bool, Meta(description="Show the message, and store nothing.")] = False

    def check(self) -> Iterable[Complaint]:
        lists = (named for named in (self.to, self.cc) if isinstance(named, list))
        if len({address for named in lists for address in named}) > MOST_RECIPIENTS:
            yield Complaint("to", "too_many", says("A message has at most {most} recipients.", most=MOST_RECIPIENTS))


class SendShared(Send, kw_only=True):
    """A message with a document that can be shared."""

    with_link: Annotated[
        bool,
        Meta(
            description="Bring a share link of the message's own, with a new secret at each try. The text says `{link}`"
            " for it; one that does not gets it as its last paragraph."
        ),
    ] = False


Attach = Annotated[Literal["pdf", "xml", "both"], Meta(description="The PDF, the e-invoice as XML, or both.")]


class SendDocument(SendShared, kw_only=True):
    """A message with a document."""

    attach: Attach = "pdf"


class MessageFilter(RecordQuery):
    """Filter for messages."""

    status: Annotated[str, one_or_several(get_args(MessageStatus))] | None = None
    kind: MessageKind | None = None
    resource_id: Id | None = None
    date_from: Day | None = None
    date_to: Day | None = None
    is_in_trouble: Annotated[bool, Meta(description="Failed or unsure, and not sent again.")] | None = None
    q: Annotated[str, Meta(max_length=200, description="Text in number, subject or addresses.")] | None = None
