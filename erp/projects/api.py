"""Projects over HTTP."""

from erp.kernel.errors import AlreadyExists, InUse, InvalidTransition, UnknownReference
from erp.projects import listing, projects
from erp.projects.bodies import NewProject, ProjectChange
from erp.projects.listing import ProjectFilter
from erp.projects.models import Project
from erp.projects.projects import ProjectArchived
from erp.projects.states import OpenTasks
from erp.projects.views import ProjectView, view
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="projects.read", refuses=(UnknownReference,))
    def on_get(self, query: ProjectFilter) -> Page[ProjectView]:
        """List the projects, the newest first.

        Archived projects are left out; `isArchived=true` lists only them. When sorted by due date, projects without one
        come last in both orders. Rates, prices and amounts need the right to see money.
        """
        return listing.search(query)

    @endpoint(permission="projects.write", status=201, refuses=(UnknownReference, AlreadyExists))
    def on_post(self, body: NewProject) -> ProjectView:
        """Add a project, as planned or active.

        Without a code it gets one made from its name. Without `billing` it is `fixed` if it has a fixed price, else
        `hourly` if it has a rate, else `non_billable`.
        """
        return view(projects.add(body))


class Item:
    @endpoint(permission="projects.read")
    def on_get(self, id: str) -> ProjectView:
        """Show a project with its totals.

        Rates, budget and amounts are left out for roles that may not read finances. `can` names the actions open to you
        now.
        """
        return view(Project.find(id))

    @endpoint(
        permission="projects.write",
        refuses=(UnknownReference, AlreadyExists, InUse, InvalidTransition, OpenTasks, ProjectArchived),
    )
    def on_patch(self, id: str, body: ProjectChange) -> ProjectView:
        """Change a project.

        A planned project can become active, an active one on_hold or completed, and back. Any but a completed one can
        be cancelled, and a cancelled one planned again. A project with open tasks is completed only with `force: true`.
        The code is fixed once there are tasks, whose keys begin with it. Time that is not on an invoice and
        dated from `hourlyRateFrom` on follows the new hourly rate; earlier time keeps the one before.
        """
        return view(projects.change(id, body))

    @endpoint(permission="projects.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a project without tasks, documents and postings.

        A project in use is refused (409 `in_use`); archive it instead. Files that came from the inbox go back there,
        other files are deleted.
        """
        projects.remove(id)


class Archive:
    @endpoint(permission="projects.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ProjectView:
        """Archive a project. It takes no changes, tasks or time until it is unarchived.

        Nothing is deleted, and reports still show it. A project that is archived already is refused (409).
        """
        return view(projects.archive(id))


class Unarchive:
    @endpoint(permission="projects.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> ProjectView:
        """Unarchive a project.

        It takes tasks and time again. A project that is not archived is refused (409).
        """
        return view(projects.unarchive(id))
