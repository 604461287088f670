"""Sites: adding, changing and deleting, and the values that hold at one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET

from erp.hr.sites.models import Site
from erp.kernel.countries import currency_of, time_zone_of
from erp.kernel.errors import AlreadyExists, Complaint, InUse, Invalid, UnknownReference
from erp.kernel.language import Noun, says
from erp.kernel.wire import wire_name
from erp.store import changes, control, events, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.paging import page
from erp.web.scalars import Name
from erp.web.schema import Body, Page, RecordQuery, RecordView, Unset, show
from erp.web.text_scalars import KnownCountry, KnownCurrency, TimeZone, Weekday

Subdivision = Annotated[
    str, msgspec.Meta(min_length=1, max_length=64, description="A state, province or region.", examples=["BY"])
]
Weekend = Annotated[list[Weekday], msgspec.Meta(max_length=6, description="The days without work.")]


def _distinct(weekend: Sequence[str] | Unset | None) -> Iterator[Complaint]:
    if weekend and len(set(weekend)) < len(weekend):
        yield Complaint("weekend", "duplicate", says("Must name each day only once."))


class NewSite(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "London", "country": "GB", "subdivision": "ENG"}

    name: Name
    country: KnownCountry
    subdivision: Subdivision | None = None
    time_zone: Annotated[TimeZone, msgspec.Meta(description="The country's by default.")] | None = None
    currency: Annotated[KnownCurrency, msgspec.Meta(description="Of pay; the country's by default.")] | None = None
    weekend: Annotated[Weekend, msgspec.Meta(description="The workspace's by default.")] | None = None

    def check(self) -> Iterator[Complaint]:
        yield from _distinct(self.weekend)


class SiteChange(Body):
    EXAMPLE: ClassVar[dict[str, Any]] = {"name": "London City"}

    name: Name | Unset = UNSET
    country: KnownCountry | Unset = UNSET
    subdivision: Subdivision | Unset | None = UNSET
    time_zone: TimeZone | Unset = UNSET
    currency: KnownCurrency | Unset = UNSET
    weekend: Weekend | Unset = UNSET

    def check(self) -> Iterator[Complaint]:
        yield from _distinct(self.weekend)


class SiteFilter(RecordQuery):
    """Filter for sites."""

    sort: Literal["name", "-name", "createdAt", "-createdAt"] = "name"


class SiteView(RecordView):
    """A place where people work; the default site has the values of the workspace."""

    created_by: str | None
    created_by_name: str | None
    name: str
    country: str | None
    subdivision: str | None
    time_zone: str
    currency: str
    weekend: list[Weekday]
    is_default: bool

    @classmethod
    def of(cls, site: Site) -> "SiteView":
        return show(cls, site, **values(site))


def values(site: Site) -> dict[str, Any]:
    """The country, time zone, currency and weekend that hold at a site."""
    settings = workspace_settings.current()
    of_workspace = {
        "country": settings.country,
        "time_zone": settings.time_zone,
        "currency": settings.base_currency,
        "weekend": settings.weekend,
    }
    return of_workspace if site.is_default else {name: getattr(site, name) for name in of_workspace}


def search(query: SiteFilter) -> Page[SiteView]:
    """The sites, by name."""
    return page(Site.select(), query, SiteView.of, sort=query.sort, sortable={"name": Site.name})


def refer(name: str, field: str = "siteId") -> Site:
    """Find the site whose id or name a field holds.

    Raises:
        UnknownReference: there is no such site in this workspace.
    """
    site = Site.find_or_none(name) or Site.find_by(name=name)
    if site is None:
        raise UnknownReference(field, Noun("site"))
    return site


def add(new: NewSite) -> Site:
    """Add a site.

    Raises:
        AlreadyExists: another site has the name.
    """
    _refuse_taken(new.name)
    usual = {
        "time_zone": time_zone_of(new.country) or workspace_settings.current().time_zone,
        "currency": currency_of(new.country),
        "weekend": workspace_settings.current().weekend,
    }
    site = Site.add(**usual | {name: value for name, value in new.changes().items() if value is not None})
    events.write("site.created", "site", site.id, _event_data(site))
    return site


def change(id: str, body: SiteChange) -> Site:
    """Change a site; of the default site the name and the subdivision.

    Raises:
        AlreadyExists: another site has the name.
        Invalid: it is a value that the default site has from the workspace.
    """
    site = Site.find_to_change(id)
    changed = changes.differing(site, body.changes())
    _refuse_of_workspace(site, changed)
    if changed:
        _refuse_taken(changed.get("name"), id)
        told = changes.before_and_after(site, changed)
        site.change(**changed)
        events.write("site.updated", "site", id, _event_data(site) | {"changes": told})
    return site


def remove(id: str) -> None:
    """Delete a site where no one works and that no holiday names.

    Raises:
        InUse: it is the default site, or something names it.
    """
    site = Site.find_to_change(id)
    if site.is_default:
        raise InUse(says("The default site stays: it has the values of the workspace."))
    if WORKSPACE.rows(_NAMED, (id,)):
        raise InUse(says("Public holidays name this site. Delete them first."))
    if control.look_up("SELECT 1 FROM kiosk WHERE site_id = ?", (id,)):
        raise InUse(says("A kiosk shows the people of this site. Delete it first."))
    changes.delete(site, says("People work at this site. Move them to another site first."), _event_data)


_NAMED = "SELECT 1 FROM holiday, json_each(site_ids) WHERE json_each.value = ? LIMIT 1"


def _refuse_of_workspace(site: Site, changed: Mapping[str, Any]) -> None:
    message = says("The default site has this from the settings of the workspace. Change it there.")
    complaints = [Complaint(wire_name(name), "not_applicable", message) for name in values(site) if name in changed]
    if site.is_default and complaints:
        raise Invalid(complaints)


def _refuse_taken(name: str | None, id: str | None = None) -> None:
    if name is not None and WORKSPACE.rows(_TAKEN, (name, id)):
        raise AlreadyExists(says("Another site has the name {name}.", name=name), field="name")


_TAKEN = "SELECT 1 FROM site WHERE name = ? COLLATE NOCASE AND id IS DISTINCT FROM CAST(? AS TEXT)"


def _event_data(site: Site) -> dict[str, Any]:
    return {"name": site.name, "country": site.country}


def of_employee(employee_id: str) -> Site:
    """The site where an employee works."""
    (site,) = Site.fetch("SELECT * FROM site WHERE id = (SELECT site_id FROM employee WHERE id = ?)", employee_id)
    return site


def of(employee_ids: Any) -> dict[str, str]:
    """The ids of the sites where employees work; one query."""
    rows = WORKSPACE.rows(
        "SELECT id, site_id FROM employee WHERE id IN (SELECT value FROM json_each(?))", (sql.array(employee_ids),)
    )
    return dict(rows)


def all_sites() -> list[Site]:
    """All sites."""
    return Site.fetch("SELECT * FROM site ORDER BY id")


def seeds() -> list[dict[str, Any]]:
    """The row of the default site of a new workspace."""
    return [{"name": "Head office", "is_default": True}]
