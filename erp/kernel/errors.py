"""Refusals: a rule that was broken, as an exception whose docstring is the message.

A `Refusal` becomes the failure envelope of the HTTP interface; the command line prints its message. Subclasses
state their HTTP status; their `code` is the class name in snake case unless they name another. Placeholders
such as `{due}` in a docstring are filled from keyword arguments. Where a message is written elsewhere and has
placeholders, `says` fills them, so that the message can be said in other languages too.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import msgspec

from erp.kernel.language import Noun, Sentence, says

ONE_FIELD = says("Check the marked field.")
SEVERAL_FIELDS = says("Check the {count} marked fields.")


class Complaint(msgspec.Struct, frozen=True):
    """A fault of one field: its path (`lines[0].quantity`), a code for programs, a sentence for people."""

    field: str
    code: str
    message: Sentence


class Remedy(msgspec.Struct, frozen=True):
    """A request that the caller can send instead, perhaps after changing its body; the path is the whole one."""

    method: Literal["GET", "POST"]
    path: str
    body: Mapping[str, Any]


class Refusal(Exception):
    """The request cannot be carried out."""

    status: ClassVar[int] = 409
    code: ClassVar[str] = "refused"

    def __init_subclass__(cls) -> None:
        if "code" not in cls.__dict__:
            cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __init__(
        self,
        message: Sentence | None = None,
        *,
        field: str | None = None,
        details: Sequence[Complaint] = (),
        headers: Mapping[str, str] | None = None,
        remedy: Remedy | None = None,
        **values: object,
    ) -> None:
        self.message = message or Sentence.of(summary(type(self)), values)
        self.details = list(details)
        if field is not None:
            self.details.append(Complaint(field, self.code, self.message))
        self.headers = dict(headers or {})
        self.remedy = remedy
        super().__init__(self.message)


def summary(documented: object) -> str:
    """The first paragraph of a docstring on one line."""
    return " ".join((documented.__doc__ or "").strip().split("\n\n")[0].split())


class Invalid(Refusal):
    """Check the marked fields."""

    status = 422
    code = "validation_failed"

    def __init__(self, details: Sequence[Complaint], remedy: Remedy | None = None) -> None:
        count = len(details)
        message = (ONE_FIELD if count == 1 else SEVERAL_FIELDS).fill(count=count)
        super().__init__(message, details=details, remedy=remedy)

    @classmethod
    def one(cls, field: str, code: str, message: Sentence) -> "Invalid":
        """A refusal that names a single field."""
        return cls([Complaint(field, code, message)])


class UnknownReference(Invalid):
    """A field names a record that is not in this workspace."""

    def __init__(self, field: str, noun: Noun) -> None:
        super().__init__([Complaint(field, "unknown_reference", noun.missing_here())])


class MalformedJson(Refusal):
    """The body is not valid JSON."""

    status = 400


class BadParameter(Refusal):
    """A parameter or header cannot be used here."""

    status = 400


class WorkspaceRequired(Refusal):
    """Select a workspace, or name one in the x-workspace-id header."""

    status = 400


class WorkspaceConflict(Refusal):
    """The header, the body and the path name different workspaces."""

    status = 400


class OtherUser(Refusal):
    """Somebody else is signed in now. Nothing was done."""

    status = 409


class SignInRequired(Refusal):
    """Sign in, or send a valid bearer token."""

    status = 401
    code = "not_authenticated"


class SessionExpired(Refusal):
    """Your session has ended. Sign in again."""

    status = 401


class Forbidden(Refusal):
    """Your role does not allow this."""

    status = 403


class NotAMember(Refusal):
    """There is no such workspace, or you are not a member of it."""

    status = 403


class TwoFactorRequired(Refusal):
    """This workspace requires two-factor sign-in. Turn it on in your profile."""

    status = 403


class CrossSite(Refusal):
    """The request comes from another website."""

    status = 403


class RegistrationClosed(Refusal):
    """Registration is closed on this server. Ask the server administrator for access."""

    status = 403


class NotFound(Refusal):
    """There is nothing at this address."""

    status = 404


class NoSuchEndpoint(Refusal):
    """There is no endpoint at this address. `/api/docs` lists those that there are."""

    status = 404


class MethodNotAllowed(Refusal):
    """This address does not support that method."""

    status = 405


class Conflict(Refusal):
    """The current state does not allow this."""


class SampleData(Conflict):
    """This is sample data, and nothing leaves it. Use a workspace of your own."""


class AlreadyExists(Refusal):
    """This record already exists."""


class InvalidTransition(Refusal):
    """The current status does not allow this."""


class NumberTaken(Refusal):
    """The next number of this number series is already in use. Change its format in the settings."""


class InUse(Refusal):
    """This record is in use and cannot be deleted."""


class WorkspaceArchived(Refusal):
    """The workspace is archived. You can read it, but not change it."""


class VersionMismatch(Refusal):
    """Someone has changed this record. Reload it."""

    status = 412


class TooLarge(Refusal):
    """The body is larger than {limit} bytes."""

    status = 413


class UnsupportedMediaType(Refusal):
    """Send the body as application/json."""

    status = 415


class HostRejected(Refusal):
    """The Host header is not an address of this server."""

    status = 421


class IdempotencyMismatch(Refusal):
    """This Idempotency-Key has already been used for a different request."""

    status = 422


class RateLimited(Refusal):
    """Too many attempts. Try again in {seconds} seconds."""

    status = 429


class Busy(Refusal):
    """The server is busy and nothing was changed. Try again."""

    status = 503

    def __init__(self, message: Sentence | None = None) -> None:
        super().__init__(message, headers={"Retry-After": "1"})


class Unavailable(Refusal):
    """This workspace cannot be opened. The server administrator can restore it from a backup.

    Its file is damaged, missing, or another workspace's.
    """

    status = 503

    def __init__(self, message: Sentence | None = None) -> None:
        super().__init__(message, headers={"Retry-After": "60"})


class StorageFull(Refusal):
    """The disk is full. Nothing was changed."""

    status = 507


class InternalError(Refusal):
    """Something went wrong on the server. Nothing was changed."""

    status = 500
