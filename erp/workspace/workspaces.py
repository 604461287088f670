"""Workspaces: making one, those that a user is in, and what one is set to."""

from typing import Any, ClassVar, Literal

from erp.finance.books.chart import TEMPLATES
from erp.kernel import caller, config
from erp.kernel.countries import COUNTRIES, currency_of, time_zone_of
from erp.kernel.errors import Complaint, Invalid, InvalidTransition, RegistrationClosed, UnknownReference
from erp.members import memberships
from erp.members.memberships import MembershipView, Status
from erp.store import control
from erp.store.control import Workspace
from erp.web.address import Address
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Line, Name
from erp.web.schema import Body, ListQuery, Page
from erp.web.text_scalars import DayOfYear, KnownCountry, KnownCurrency, TaxNumber, TimeZone
from erp.workspace import provision, settings_api
from erp.workspace.settings_api import BaseCurrencyFixed, FiscalYearFixed, WorkspaceChange
from erp.workspace.view import WorkspaceView, show


class NewWorkspace(Body):
    """A workspace to be made."""

    name: Name
    base_currency: KnownCurrency | None = None
    country: KnownCountry | None = None
    time_zone: TimeZone | None = None
    fiscal_year_start: DayOfYear | None = None
    chart_template: Literal["standard"] = "standard"
    legal_name: Line | None = None
    tax_number: TaxNumber | None = None
    address: Address | None = None

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Acme", "country": "DE", "timeZone": "Europe/Berlin"}


class WorkspaceFilter(ListQuery):
    """Which workspaces, in which order."""

    status: Status | None = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"


def build(new: NewWorkspace) -> WorkspaceView:
    """Make a workspace up to its activation.

    Raises:
        RegistrationClosed: the server is by invitation only, and the caller is not its admin.
    """
    if config.current().registration != "open" and not caller.current().is_instance_admin:
        raise RegistrationClosed("On this server only the instance admin makes workspaces.")
    if new.address and new.address.country and new.address.country not in COUNTRIES:
        raise Invalid([Complaint("address.country", *KnownCountry.complaint)])
    workspace_id = provision.make(new.name, _chosen(new), TEMPLATES[new.chart_template])
    with control.open_workspace(workspace_id, write=False):
        return WorkspaceView.of(Workspace(name=new.name, status="active"), "owner")


def _chosen(new: NewWorkspace) -> dict[str, Any]:
    usual = currency_of(new.country) if new.country else "EUR"
    usual_zone = time_zone_of(new.country) if new.country else None
    return {
        "base_currency": new.base_currency or usual,
        "country": new.country,
        "time_zone": new.time_zone or caller.current().time_zone or usual_zone or "UTC",
        "fiscal_year_start": new.fiscal_year_start or "01-01",
        "legal_name": new.legal_name,
        "tax_number": new.tax_number,
        "address": new.address and new.address.kept(),
    }


def _visible(query: WorkspaceFilter) -> Any:
    who = caller.current()
    found = memberships.select_of_user(who.user_id)
    if who.session_kind == "token":
        found = found.where(Workspace.id == who.active_workspace_id)
    return found.where(Workspace.status == query.status) if query.status else found


class Collection:
    """The caller's workspaces."""

    @endpoint(access="user", store="control")
    def on_get(self, query: WorkspaceFilter) -> Page[MembershipView]:
        """List the workspaces that you are a member of.

        A named token sees only its own.
        """
        return page(_visible(query), query, MembershipView.of, sort=query.sort, sortable={"name": Workspace.name})

    @endpoint(
        access="user", store="control", status=201, session_only=True, refuses=(RegistrationClosed,), prepare=build
    )
    def on_post(self, body: NewWorkspace, prepared: WorkspaceView) -> WorkspaceView:
        """Make a workspace, of which you become the owner.

        It starts with a chart of accounts and the country's usual tax rates. The currency defaults to the country's,
        else to EUR, the time zone to yours, else to the country's, else to UTC. It is not selected by this.
        """
        provision.activate(prepared.id)
        return prepared


class Item:
    """One workspace."""

    @endpoint(permission="workspace.read")
    def on_get(self, workspace_id: str) -> WorkspaceView:
        """Show a workspace with its settings."""
        return show(workspace_id)

    @endpoint(permission="workspace.write", refuses=(BaseCurrencyFixed, FiscalYearFixed, UnknownReference))
    def on_patch(self, workspace_id: str, body: WorkspaceChange) -> WorkspaceView:
        """Change a workspace's name and settings.

        `numberFormats` and `defaultAccounts` (ids or codes) are merged by key, an address is replaced as a whole.
        The base currency can be changed until the first posting; this clears `cashRounding` unless it is sent
        along. The start of the fiscal year can be changed until the first number of a fiscal year is given.
        """
        return settings_api.change(workspace_id, body)


class Archive:
    """Closing a workspace."""

    @endpoint(permission="workspace.own", refuses=(InvalidTransition,), when_archived=True)
    def on_post(self, workspace_id: str) -> WorkspaceView:
        """Archive a workspace: it can be read from then on, not changed."""
        return settings_api.set_status(workspace_id, "archived", "workspace.archived")


class Unarchive:
    """Opening a workspace again."""

    @endpoint(permission="workspace.own", refuses=(InvalidTransition,), when_archived=True)
    def on_post(self, workspace_id: str) -> WorkspaceView:
        """Take a workspace back into use."""
        return settings_api.set_status(workspace_id, "active", "workspace.unarchived")
