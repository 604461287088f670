"""Wage types: adding, changing and deleting."""

from typing import Any

from erp.hr.payroll.models import PayComponent
from erp.hr.payroll.wages.bodies import NewWageType, WageTypeChange
from erp.hr.payroll.wages.models import WageType
from erp.kernel.errors import AlreadyExists, Invalid, UnknownReference
from erp.kernel.language import Noun, says
from erp.store import changes, events
from erp.store.router import WORKSPACE


def all_types() -> list[WageType]:
    """All wage types, by number."""
    return WageType.fetch("SELECT * FROM wage_type ORDER BY wage_type, id")


def add(new: NewWageType) -> WageType:
    """Add a wage type.

    Raises:
        UnknownReference: there is no such pay component.
        Invalid: it names a pay component, but is of another figure.
        AlreadyExists: the figure already has this number.
    """
    if new.component_id is not None and PayComponent.find_or_none(new.component_id) is None:
        raise UnknownReference("componentId", Noun("pay component"))
    if new.component_id is not None and new.source != "component":
        raise Invalid.one("componentId", "not_applicable", says("Only a pay component has a componentId."))
    _refuse_taken(new.source, new.component_id, new.wage_type)
    added = WageType.add(**new.changes())
    events.write("wage_type.created", "wage_type", added.id, _event_data(added))
    return added


def change(id: str, body: WageTypeChange) -> WageType:
    """Change the number or the key of a wage type; rows that were exported keep theirs.

    Raises:
        AlreadyExists: the figure already has this number.
    """
    wage_type = WageType.find_to_change(id)
    values = changes.differing(wage_type, body.changes())
    if values:
        changed = changes.before_and_after(wage_type, values)
        _refuse_taken(wage_type.source, wage_type.component_id, values.get("wage_type", wage_type.wage_type), id)
        wage_type.change(**values)
        events.write("wage_type.updated", "wage_type", id, {**_event_data(wage_type), "changes": changed})
    return wage_type


def remove(id: str) -> None:
    """Delete a wage type; what was exported stays."""
    wage_type = WageType.find_to_change(id)
    wage_type.delete_instance()
    events.write("wage_type.deleted", "wage_type", id, _event_data(wage_type))


_TAKEN = """
SELECT 1 FROM wage_type WHERE source = ? AND component_id IS NOT DISTINCT FROM CAST(? AS TEXT) AND wage_type = ?
AND id IS DISTINCT FROM CAST(? AS TEXT)
"""


def _refuse_taken(source: str, component_id: str | None, number: int, id: str | None = None) -> None:
    if WORKSPACE.rows(_TAKEN, (source, component_id, number, id)):
        raise AlreadyExists(says("This figure already has the wage type {number}.", number=number), field="wageType")


def _event_data(wage_type: WageType) -> dict[str, Any]:
    return {"source": wage_type.source, "number": str(wage_type.wage_type)}
