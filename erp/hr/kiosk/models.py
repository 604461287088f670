"""The table of PINs."""

from peewee import ForeignKeyField, TextField

from erp.hr.access.models import Employee
from erp.kernel import clock
from erp.store.records import WorkspaceTable


class KioskPin(WorkspaceTable):
    """The PIN of an employee at a kiosk; only its argon2 hash is stored."""

    sealed = frozenset({"pin_hash"})

    employee = ForeignKeyField(Employee, primary_key=True, lazy_load=False)
    pin_hash = TextField()
    set_at = TextField(default=clock.stamp)

    employee_id: str
