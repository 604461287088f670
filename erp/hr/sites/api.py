"""Sites over HTTP."""

from erp.hr.sites import sites
from erp.hr.sites.models import Site
from erp.hr.sites.sites import NewSite, SiteChange, SiteFilter, SiteView
from erp.kernel.errors import AlreadyExists, InUse
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="leave.read_own")
    def on_get(self, query: SiteFilter) -> Page[SiteView]:
        """List the sites, by name.

        Every member can read them. The default site has the values of the workspace.
        """
        return sites.search(query)

    @endpoint(permission="employees.write", status=201, refuses=(AlreadyExists,))
    def on_post(self, body: NewSite) -> SiteView:
        """Add a site, a place where people work.

        Its country, time zone, currency and weekend hold for the people who work there (`siteId` of an employee), and
        holidays can be of some sites only.
        """
        return SiteView.of(sites.add(body))


class Item:
    @endpoint(permission="leave.read_own")
    def on_get(self, id: str) -> SiteView:
        """Show a site.

        Every member can read it. The default site shows the values of the workspace.
        """
        return SiteView.of(Site.find(id))

    @endpoint(permission="employees.write", refuses=(AlreadyExists,))
    def on_patch(self, id: str, body: SiteChange) -> SiteView:
        """Change a site.

        Days that are recorded keep their time zone, and leave that is granted stays. The default site has its country,
        time zone, currency and weekend from the settings of the workspace; they are changed there.
        """
        return SiteView.of(sites.change(id, body))

    @endpoint(permission="employees.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a site where no one works.

        A site that employees or holidays name stays, and so does the default site.
        """
        sites.remove(id)
