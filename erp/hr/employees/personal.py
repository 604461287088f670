"""An employee's days and emergency contact: for the employee and people with the right to change employees."""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from erp.hr.access.models import Employee
from erp.kernel.complaints import Complaints
from erp.kernel.language import says
from erp.store import workspace_settings
from erp.web.address import AddressView
from erp.web.scalars import Day, Line, Name
from erp.web.schema import Texts, View

ContractEnd = Annotated[Day, Meta(description="The last day of a fixed-term contract; the home page reminds of it.")]
ProbationEnd = Annotated[Day, Meta(description="The last day of the probation; the home page reminds of it.")]


class EmergencyContact(Texts):
    """The person to call in an emergency."""

    name: Name
    phone: Line


class EmergencyContactView(View):
    """The person to call in an emergency."""

    name: str
    phone: str


def check(values: Mapping[str, Any], employee: Employee | None) -> None:
    """Check that the days fit each other.

    Raises:
        Invalid: a contract or probation ends before the hire date, or the birthday is in the future.
    """
    complaints = Complaints()
    hired = values.get("hire_date") or (employee and employee.hire_date)
    for name, field in (("contract_end", "contractEnd"), ("probation_end", "probationEnd")):
        day = values.get(name)
        if day is not None and hired is not None and day < hired:
            complaints.add(field, "reversed", says("This day is before the hire date."))
    birthday = values.get("birthday")
    if birthday is not None and birthday > workspace_settings.today():
        complaints.add("birthday", "in_future", says("This day is in the future."))
    complaints.refuse()


def shown(employee: Employee) -> dict[str, Any]:
    """The personal fields of an employee as a view shows them."""
    days = {name: getattr(employee, name) for name in ("contract_end", "probation_end", "birthday")}
    contact = employee.emergency_contact
    return {
        "phone": employee.phone,
        "address": AddressView.of(employee.address),
        "emergency_contact": contact and EmergencyContactView(**contact),
        "termination_reason": employee.termination_reason,
        "payslip_mail": employee.payslip_mail,
        **{name: day and day.isoformat() for name, day in days.items()},
    }
