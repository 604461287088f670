"""Workspaces: creating them, and listing a user's."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.finance.books.charts import templates
from erp.finance.books.charts.templates import ChartTemplate, TemplateCode
from erp.kernel import caller, config
from erp.kernel.countries import currency_of, time_zone_of
from erp.kernel.errors import Complaint, Invalid, Refusal, RegistrationClosed, StorageFull
from erp.kernel.language import LANGUAGES, says
from erp.kernel.wire import wire_name
from erp.members import memberships
from erp.members.memberships import MembershipView, Status
from erp.store import control
from erp.store.control import Workspace
from erp.web.address import Address
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.scalars import Line, Name
from erp.web.schema import Body, ListQuery, Page
from erp.web.text_scalars import DayOfYear, KnownCountry, KnownCurrency, TaxNumber, TimeZone, VatId
from erp.workspace import provision, samples
from erp.workspace.samples import SampleExists, SampleUnderWay
from erp.workspace.views import WorkspaceView


class NewWorkspace(Body):
    """A workspace to create."""

    name: Name
    base_currency: KnownCurrency | None = None
    country: KnownCountry | None = None
    time_zone: TimeZone | None = None
    fiscal_year_start: DayOfYear | None = None
    chart_template: Annotated[
        TemplateCode | Literal["country"],
        msgspec.Meta(
            description="A chart of accounts; `country`, the default, is the usual one of the country, or `standard`."
        ),
    ] = "country"
    legal_name: Line | None = None
    vat_id: VatId | None = None
    tax_number: TaxNumber | None = None
    address: Address | None = None
    is_sample: Annotated[
        bool,
        msgspec.Meta(description="Make it with the data of a made-up company, which takes all other settings with it."),
    ] = False

    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "Acme", "country": "DE", "timeZone": "Europe/Berlin"}


_OF_STORY = [name for name in NewWorkspace.__struct_fields__ if name not in ("name", "is_sample")]


class TooManyWorkspaces(Refusal):
    """You have created {limit} workspaces, the limit on this server. Ask the server administrator for more."""

    status = 403


class WorkspaceFilter(ListQuery):
    """Filter for workspaces."""

    status: Status | None = None
    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"


def build(new: NewWorkspace) -> WorkspaceView:
    """Create a workspace up to its activation.

    Raises:
        RegistrationClosed: registration is not open, and the caller is not an instance admin.
        TooManyWorkspaces: the caller has created as many as a user may, and is not an instance admin.
        Invalid: a sample has settings of its own.
        SampleExists, SampleUnderWay: no sample can be made now.
    """
    if new.is_sample:
        return _shown(new.name, _sample(new), is_sample=True)
    if not caller.current().is_instance_admin:
        _check_allowed()
    chart = _chart(new)
    workspace_id = provision.make(new.name, _settings(new) | _of_chart(chart), chart)
    return _shown(new.name, workspace_id)


def _shown(name: str, workspace_id: str, *, is_sample: bool = False) -> WorkspaceView:
    with control.open_workspace(workspace_id, write=False):
        return WorkspaceView.of(Workspace(name=name, status="active", is_sample=is_sample), "owner")


def _sample(new: NewWorkspace) -> str:
    own = [name for name in _OF_STORY if getattr(new, name) not in (None, "country")]
    if own:
        raise Invalid([Complaint(wire_name(name), "not_with_sample", OF_SAMPLE) for name in own])
    if not caller.current().is_instance_admin:
        _check_open()
    return samples.make(new.name)


OF_SAMPLE = says("Sample data has its own. Leave this out.")


def _check_allowed() -> None:
    _check_open()
    check_number()


def _check_open() -> None:
    if config.current().registration != "open":
        raise RegistrationClosed(says("Only server administrators can create workspaces. Ask one of them."))


def check_number() -> None:
    """Refuse one more workspace to a caller who has as many as a user may create.

    Raises:
        TooManyWorkspaces: they have.
    """
    limit = config.current().workspaces_per_user
    with control.read():
        created = (
            Workspace.select().where(Workspace.created_by == caller.current().user_id, ~Workspace.is_sample).count()
        )
    if limit and created >= limit:
        raise TooManyWorkspaces(limit=limit)


def _chart(new: NewWorkspace) -> ChartTemplate:
    if new.chart_template == "country":
        return templates.usual(new.country)
    return templates.template(new.chart_template)


def _of_chart(chart: ChartTemplate) -> dict[str, Any]:
    """The settings that go with a country's own chart.

    Papers and entry texts are in its language, if the program has it. Bills need an account, since it has one for each
    kind of cost; the generic chart has hardly more than the default one. DATEV names Germany's charts alone.
    """
    if chart is templates.GENERIC:
        return {}
    return (
        {"bills_need_account": True}
        | ({"paper_language": chart.language} if chart.language in LANGUAGES else {})
        | ({"datev_chart": chart.code.removeprefix("de-")} if chart.code.startswith("de-") else {})
    )


def _settings(new: NewWorkspace) -> dict[str, Any]:
    """The columns of the settings; omitted ones are the country's usual values."""
    usual_currency = currency_of(new.country) if new.country else "EUR"
    usual_zone = time_zone_of(new.country) if new.country else None
    return {
        "base_currency": new.base_currency or usual_currency,
        "country": new.country,
        "time_zone": new.time_zone or caller.current().time_zone or usual_zone or "UTC",
        "fiscal_year_start": new.fiscal_year_start or "01-01",
        "legal_name": new.legal_name,
        "vat_id": new.vat_id,
        "tax_number": new.tax_number,
        "address": new.address and new.address.kept(),
    }


def search(query: WorkspaceFilter) -> Page[MembershipView]:
    """The caller's workspaces that fit the filter; a named token sees only its own."""
    current = caller.current()
    rows = memberships.select_of_user(current.user_id)
    if current.session_kind == "token":
        rows = rows.where(Workspace.id == current.active_workspace_id)
    if query.status:
        rows = rows.where(Workspace.status == query.status)
    return page(rows, query, MembershipView.of, sort=query.sort, sortable={"name": Workspace.name})


class Collection:
    @endpoint(access="user", store="control")
    def on_get(self, query: WorkspaceFilter) -> Page[MembershipView]:
        """List the workspaces that you are a member of.

        A named token sees only its own.
        """
        return search(query)

    @endpoint(
        access="user",
        store="control",
        status=201,
        session_only=True,
        refuses=(RegistrationClosed, TooManyWorkspaces, StorageFull, SampleExists, SampleUnderWay),
        prepare=build,
    )
    def on_post(self, body: NewWorkspace, prepared: WorkspaceView) -> WorkspaceView:
        """Create a workspace and become its owner.

        A user creates at most 5, unless the server is started with another `--workspaces-per-user`; an instance admin
        as many as they like.

        It starts with a chart of accounts and the country's usual tax rates. `chartTemplate` chooses a chart of `GET
        /workspace/chart-templates`. A country's own chart comes with tax rates that post to its accounts; where it is
        in German or English, `paperLanguage` and the texts of journal entries are too.

        The currency defaults to the country's, or else to EUR; the time zone to yours, or else to the country's, or
        else to UTC. Creating a workspace does not select it.

        With `isSample`, it has a year of a made-up company's business up to today, which takes up to 20 s; a second one
        meanwhile is refused (409). You are its only member, and no one in it has a user here. Nothing leaves it: no
        mail, no webhooks, and no backup has it. Everyone can have one, beside the workspaces that they may create, and
        delete it with `DELETE /workspace/{workspaceId}`.
        """
        provision.activate(prepared.id)
        return prepared
