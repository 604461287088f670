"""Kiosks: creating, listing and deleting them. The token of one is shown once, and only its SHA-256 is stored."""

from erp.hr.kiosk.bodies import CreatedKioskView, KioskView, NewKiosk
from erp.hr.sites import sites
from erp.kernel import caller, config, tokens
from erp.kernel.errors import NotFound
from erp.store import control, events
from erp.store.control import Kiosk
from erp.web.hosts import link_base
from erp.web.schema import show

PATH = "/kiosk"
"""The page of the kiosk; the token follows as a fragment, which browsers send to no one."""


def make(new: NewKiosk) -> CreatedKioskView:
    """Create a kiosk of the caller's workspace; the control file is open for writing.

    Raises:
        UnknownReference: there is no such site in this workspace.
    """
    who, token = caller.current(), tokens.make()
    kiosk = Kiosk.add(
        workspace_id=who.workspace_id,
        created_by=who.user_id,
        name=new.name,
        token_hash=tokens.hashed(token),
        site_id=None if new.site_id is None else _site(new.site_id),
    )
    _log("kiosk.created", kiosk)
    url = f"{link_base(config.current())}{PATH}#{token}"
    return show(CreatedKioskView, KioskView.of(kiosk), token=token, url=url)


def _site(name: str) -> str:
    with control.reading_own():
        return str(sites.refer(name).id)


def find(id: str) -> Kiosk:
    """A kiosk of the caller's workspace; the control file is open.

    Raises:
        NotFound: there is none.
    """
    kiosk = Kiosk.find(id)
    if kiosk.workspace_id != caller.current().workspace_id:
        raise NotFound(Kiosk.noun.missing())
    return kiosk


def remove(id: str) -> None:
    """Delete a kiosk, whose token stops working at once; the control file is open for writing."""
    kiosk = find(id)
    kiosk.check_version()
    kiosk.delete_instance()
    _log("kiosk.deleted", kiosk)


def _log(event: str, kiosk: Kiosk) -> None:
    events.write_later(kiosk.workspace_id, event, "kiosk", kiosk.id, {"name": kiosk.name})
