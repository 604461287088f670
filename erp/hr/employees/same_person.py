"""Whether someone is an employee already: by their number, else by their e-mail address."""

from erp.hr.access.models import Employee
from erp.kernel.errors import AlreadyExists
from erp.kernel.language import says
from erp.store.router import WORKSPACE

_BY_EMAIL = "SELECT * FROM employee WHERE lower(email) = ? ORDER BY created_at LIMIT 1"
_NAMESAKE = "SELECT employee_number FROM employee WHERE name = ? AND hire_date = ? AND id <> ? ORDER BY 1 LIMIT 1"


def find(employee_number: str | None, email: str | None) -> Employee | None:
    """The employee with a number, else with an e-mail address, in capitals or not."""
    by_number = None if employee_number is None else Employee.find_by(employee_number=employee_number)
    if by_number is not None or email is None:
        return by_number
    return next(iter(Employee.fetch(_BY_EMAIL, email.lower())), None)


def check_email_is_new(email: str | None) -> None:
    """Refuse to hire someone who is an employee already.

    Raises:
        AlreadyExists: the e-mail address is another employee's.
    """
    known = find(None, email)
    if known is not None:
        raise refusal(known)


def refusal(employee: Employee, employee_number: str | None = None) -> AlreadyExists:
    """The refusal of a second record of an employee, who has this number or else the same e-mail address."""
    if employee.employee_number == employee_number:
        message = says("{name} already has the number {value}.", name=employee.name, value=employee_number)
        return AlreadyExists(message, field="employeeNumber")
    message = says(
        "{name} ({number}) already has this e-mail address.", name=employee.name, number=employee.employee_number
    )
    return AlreadyExists(message, field="email")


def namesake(employee: Employee) -> str | None:
    """The number of another employee with the same name and hire date."""
    rows = WORKSPACE.rows(_NAMESAKE, (employee.name, employee.hire_date.isoformat(), employee.id))
    return rows[0][0] if rows else None
