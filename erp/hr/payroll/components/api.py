"""Pay components over HTTP."""

from erp.hr.payroll.components import components, listing
from erp.hr.payroll.components.bodies import NewPayComponent, PayComponentChange
from erp.hr.payroll.components.listing import PayComponentFilter
from erp.hr.payroll.components.views import PayComponentView
from erp.hr.payroll.models import PayComponent
from erp.kernel.errors import AlreadyExists, InUse, InvalidTransition, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.schema import Page


class Collection:
    @endpoint(permission="payroll.read")
    def on_get(self, query: PayComponentFilter) -> Page[PayComponentView]:
        """List pay components, in the order in which payslips show them.

        Archived ones are listed when the filter asks for them.
        """
        return listing.search(query)

    @endpoint(permission="payroll.write", status=201, refuses=(AlreadyExists, UnknownReference))
    def on_post(self, body: NewPayComponent) -> PayComponentView:
        """Add a pay component.

        It applies only to employees whose pay names it, unless `appliesToAll` is set. Everything wrong with it is
        reported at once.
        """
        return PayComponentView.of(components.add(body))


class Item:
    @endpoint(permission="payroll.read")
    def on_get(self, id: str) -> PayComponentView:
        """Show a pay component.

        It shows the method, the brackets, and the accounts that it is posted to.
        """
        return PayComponentView.of(PayComponent.find(id))

    @endpoint(permission="payroll.write", refuses=(AlreadyExists, UnknownReference))
    def on_patch(self, id: str, body: PayComponentChange) -> PayComponentView:
        """Change a pay component.

        Existing payslips keep their lines; drafts take the change when they are recalculated.
        """
        return PayComponentView.of(components.change(id, body))

    @endpoint(permission="payroll.write", refuses=(InUse,))
    def on_delete(self, id: str) -> None:
        """Delete a pay component that no one's pay names and no payslip has.

        A component in use is refused (409 `in_use`); archive it instead.
        """
        components.remove(id)


class Archive:
    @endpoint(permission="payroll.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> PayComponentView:
        """Archive a pay component.

        It can no longer be added to anyone's pay. Employees whose pay names it keep it until their pay changes.
        """
        return PayComponentView.of(components.archive(id))


class Unarchive:
    @endpoint(permission="payroll.write", refuses=(InvalidTransition,))
    def on_post(self, id: str) -> PayComponentView:
        """Unarchive a pay component.

        It can be given to employees again. A component that is not archived is refused (409).
        """
        return PayComponentView.of(components.unarchive(id))
