"""The mail server of a workspace: set, tested, paused, forgotten."""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from erp.delivery import networks
from erp.kernel import caller, config
from erp.kernel.errors import Complaint, Conflict, Invalid, InvalidTransition
from erp.kernel.language import says
from erp.kernel.options import HOST_NAME
from erp.kernel.wire import wire_name
from erp.mail import sealing
from erp.mail.bodies import MailChange
from erp.mail.models import MailSettings, PauseReason
from erp.mail.waking import watch
from erp.migrations import Connection
from erp.store import control, events, sql
from erp.store.changes import differing
from erp.store.router import WORKSPACE

_LOCAL_NAME = re.compile(r"(.*\.)?localhost\.?", re.IGNORECASE)


class MailNotSetUp(Conflict):
    """This workspace has no mail server. Add one in the settings, or send with your own mail program."""


def find() -> MailSettings | None:
    """The settings of the open workspace, if it has a mail server."""
    return next(iter(MailSettings.fetch("SELECT * FROM mail_settings LIMIT 1")), None)


def needed() -> MailSettings:
    """The settings of the open workspace.

    Raises:
        MailNotSetUp: it has no mail server.
    """
    settings = find()
    if settings is None:
        raise MailNotSetUp
    return settings


class UntrustedMailServer(Conflict):
    """The mail server can read this link. Save the mail settings yourself first, or hand the link over."""

    code = "mail_server_untrusted"


def is_trusted() -> bool:
    """Whether the mail server may see a link that opens an account, which may be in other workspaces, too.

    Only one that an administrator of the installation set up, or checked, since anyone else changed it.
    """
    rows = WORKSPACE.rows(_LAST_CHANGE)
    if not rows:
        return False
    with control.read():
        user = control.User.find_or_none(rows[0][0])
        return user is not None and bool(user.is_instance_admin) and user.status == "active"


_ACTOR = sql.json_text("actor", "'$.id'")
_LAST_CHANGE = f"SELECT {_ACTOR} FROM event WHERE type = 'mail.updated' ORDER BY seq DESC LIMIT 1"


def change(body: MailChange) -> MailSettings:
    """Set the mail server, or change it; what it lacked may work now, so its mail goes on.

    Raises:
        Invalid: fields are missing or do not go together.
        SampleData: the workspace's data is made up.
    """
    control.refuse_sample()
    present = find()
    if present is not None:
        present.check_version()
    values = body.changes()
    password = values.pop("password", UNSET)
    whole = {**({} if present is None else _columns(present)), **values}
    is_kept = password is UNSET and sealing.has(sealing.MAIL)
    complaints = list(_complaints(whole, has_password=is_kept or password not in (UNSET, None)))
    if is_kept and present is not None and whole["host"] != present.host:
        complaints.append(Complaint("password", "required", ANOTHER_HOST))
    if complaints:
        raise Invalid(complaints)
    settings = _written(present, values, password)
    if password is not UNSET:
        sealing.keep(sealing.MAIL, password)
    watch()
    return settings


def _written(present: MailSettings | None, values: dict[str, Any], password: object) -> MailSettings:
    if present is None:
        settings = MailSettings.add(**values)
        changed = list(values)
    else:
        settings, values = present, differing(present, values)
        changed = list(values)
        is_checked = caller.current().is_instance_admin and not is_trusted()
        if not values and password is UNSET and not is_checked:
            return settings
        settings.change(**values, pause_reason=None)
    names = [wire_name(name) for name in changed] + ["password"] * (password is not UNSET)
    events.write("mail.updated", "mail", settings.id, {"changed": names})
    return settings


def _columns(settings: MailSettings) -> dict[str, Any]:
    return {name: getattr(settings, name) for name in _FIELDS}


_FIELDS = (
    *("host", "port", "security", "user_name", "from_address", "from_name", "reply_to", "copy_to"),
    *("certificate", "per_hour"),
)


def _complaints(values: dict[str, Any], *, has_password: bool) -> Iterator[Complaint]:
    yield from _of_required(values)
    if values.get("security") == "none" and has_password:
        yield Complaint(
            "password", "clear_password", says("Without encryption anyone on the way could read it. Clear the field.")
        )
    if has_password and not values.get("user_name"):
        yield Complaint("userName", "required", says("A password needs a user name."))
    if values.get("certificate") and not _is_certificate(values["certificate"]):
        yield Complaint("certificate", "bad_certificate", says("Must be one or more certificates in PEM."))
    for name in ("from_address", "reply_to", "copy_to"):
        if values.get(name):
            yield from of_address(values[name], wire_name(name))


def _of_required(values: dict[str, Any]) -> Iterator[Complaint]:
    for name in ("host", "from_address"):
        if not values.get(name):
            yield Complaint(wire_name(name), "required", says("This field is required."))
    if values.get("host"):
        yield from _of_host(values["host"], is_tls=values.get("security") != "none")


BAD_ADDRESS = says("Must be an address such as anna@example.com; letters such as ü may only stand after the @.")
NO_DOMAIN = says(
    "The part after the @ must be a domain, such as example.com. A name without a dot is only for mail within a private"
    " network, which the administrator of this server can allow with --mail-private."
)
_SENDABLE = re.compile(r"(?!.{65,}@)[\w!#$%&'*+/=?^`{|}~.-]+@[\w-]+(\.[\w-]+)*", re.ASCII)


def of_address(address: str, field: str) -> Iterator[Complaint]:
    """The complaint about an address to which nothing can be sent from here."""
    if not _is_plain(address):
        yield Complaint(field, "bad_address", BAD_ADDRESS)
    elif "." not in address.rpartition("@")[2] and not config.current().mail_private:
        yield Complaint(field, "private_address", NO_DOMAIN)


def is_sendable(address: str) -> bool:
    """Whether something can be sent to an address from here."""
    return not any(of_address(address, ""))


def _is_plain(address: str) -> bool:
    """Whether every mail server takes an address: its name needs no quotes, and its domain can be encoded."""
    name, _, domain = address.rpartition("@")
    try:
        return bool(_SENDABLE.fullmatch(f"{name}@{domain.encode('idna').decode()}"))
    except UnicodeError:
        return False


def _of_host(host: str, *, is_tls: bool) -> Iterator[Complaint]:
    literal = networks.literal(host)
    if literal is None and not HOST_NAME.fullmatch(host):
        yield Complaint("host", "bad_host", says("Must be a name such as smtp.example.com, or an address."))
    elif _LOCAL_NAME.fullmatch(host):
        if not config.current().mail_private:
            yield Complaint("host", "private_address", PRIVATE)
    elif literal is not None and not may_connect(literal, is_tls=is_tls):
        is_public = networks.is_public(literal)
        yield Complaint("host", "public_address" if is_public else "private_address", PUBLIC if is_public else PRIVATE)


ANOTHER_HOST = says("Enter the password again: another server does not get the one that is kept.")
PRIVATE = says(
    "This address is on a private network, to which this server sends no mail. Its administrator can allow it with "
    "--mail-private."
)
PUBLIC = says("Without encryption mail only goes to private networks. Choose STARTTLS or TLS.")


def may_connect(address: networks.Address, *, is_tls: bool) -> bool:
    """Whether mail may be handed to a server at an address."""
    return networks.is_allowed(address, is_tls=is_tls, may_be_private=config.current().mail_private)


def _is_certificate(pem: str) -> bool:
    import ssl  # here, because few offices need it

    try:
        ssl.create_default_context(cadata=pem)
    except (ssl.SSLError, ValueError):
        return False
    return "BEGIN CERTIFICATE" in pem and "PRIVATE KEY" not in pem  # which would stay in the log


def remove() -> None:
    """Forget the mail server and its password; what waits goes on waiting.

    Raises:
        MailNotSetUp: there is none.
    """
    settings = needed()
    settings.check_version()
    sealing.keep(sealing.MAIL, None)
    settings.delete_instance()
    events.write("mail.updated", "mail", settings.id, {"changed": ["host"]})


def pause(reason: PauseReason, version: int) -> None:
    """Send nothing more until the settings of that version change, so that a wrong password locks no account."""
    settings = find()
    if settings is not None and settings.version == version and settings.pause_reason is None:
        settings.change(pause_reason=reason)
        events.write("mail.paused", "mail", settings.id, {"reason": reason})


def resume() -> MailSettings:
    """Go on sending.

    Raises:
        MailNotSetUp: there is no mail server.
        InvalidTransition: it is not paused.
    """
    settings = needed()
    settings.check_version()
    if settings.pause_reason is None:
        raise InvalidTransition(says("Sending is not paused."))
    settings.change(pause_reason=None)
    events.write("mail.resumed", "mail", settings.id)
    watch()
    return settings


def forget_password(connection: Connection) -> None:
    """Forget the password of the mail server in a copy of a workspace's file."""
    connection.execute("DELETE FROM sealed_secret WHERE owner_id = ?", (sealing.MAIL,))
