"""One workspace over HTTP: showing it, changing its settings, archiving it."""

from erp.kernel.errors import InvalidTransition, UnknownReference
from erp.store import workspace_settings
from erp.web.endpoint import endpoint
from erp.web.schema import View
from erp.workspace import samples, settings
from erp.workspace.checks import BaseCurrencyFixed, FiscalYearFixed
from erp.workspace.samples import NotASample
from erp.workspace.settings import WorkspaceChange
from erp.workspace.views import WorkspaceView


class NextNumbersView(View):
    """The next number of each series of `numberFormats`."""

    numbers: dict[str, str]


class Item:
    @endpoint(permission="workspace.read")
    def on_get(self, workspace_id: str) -> WorkspaceView:
        """Show a workspace with its settings.

        Any member can read it. It has the address, bank and tax data that papers print, and the settings of books and
        time.
        """
        return WorkspaceView.for_caller(workspace_settings.current())

    @endpoint(permission="workspace.write", refuses=(BaseCurrencyFixed, FiscalYearFixed, UnknownReference))
    def on_patch(self, workspace_id: str, body: WorkspaceChange) -> WorkspaceView:
        """Change a workspace's name and settings.

        `numberFormats` and `defaultAccounts` (ids or codes) are merged by key; an address is replaced as a whole.
        The base currency can be changed until the first posting, rate, budget or pay is recorded in it; the change
        clears `cashRounding` unless it is sent along. The start of the fiscal year can be changed until the first
        number of a fiscal year is used.
        """
        return WorkspaceView.for_caller(settings.change(workspace_id, body))

    @endpoint(
        permission="workspace.own",
        store=None,
        session_only=True,
        also_when=("archived", "unavailable"),
        refuses=(NotASample,),
    )
    def on_delete(self, workspace_id: str) -> None:
        """Delete sample data with all that was added to it.

        Only an owner can, and only what was created with `isSample` (409 `not_a_sample`); a damaged file does not
        matter. Nothing is left, at once, and everyone in it has to choose another workspace. Named tokens cannot delete
        it.
        """
        samples.delete(workspace_id)


class NextNumbers:
    @endpoint(permission="workspace.read")
    def on_get(self) -> NextNumbersView:
        """Show the number that each series gives next to a record of today.

        Nothing is taken: a number is given as a record is made, so another person may be quicker.
        """
        return NextNumbersView(numbers=workspace_settings.next_numbers())


class Archive:
    @endpoint(permission="workspace.own", refuses=(InvalidTransition,), also_when=("archived",))
    def on_post(self, workspace_id: str) -> WorkspaceView:
        """Archive a workspace. It can then be read, but not changed.

        Only an owner can. Nothing is deleted, and unarchiving brings everything back. A workspace that is archived
        already is refused (409).
        """
        return WorkspaceView.for_caller(settings.set_status(workspace_id, "archived"))


class Unarchive:
    @endpoint(permission="workspace.own", refuses=(InvalidTransition,), also_when=("archived",))
    def on_post(self, workspace_id: str) -> WorkspaceView:
        """Unarchive a workspace.

        Only an owner can. It can be changed again at once. A workspace that is not archived is refused (409).
        """
        return WorkspaceView.for_caller(settings.set_status(workspace_id, "active"))
