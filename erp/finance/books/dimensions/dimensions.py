"""Dimensions and their values: the rules of adding, changing and archiving them."""

from collections.abc import Sequence
from typing import Any

from erp.finance.books.dimensions.assigning import MEMO
from erp.finance.books.dimensions.bodies import (
    DimensionChange,
    DimensionValueChange,
    NewDimension,
    NewDimensionValue,
)
from erp.finance.books.dimensions.models import Dimension, DimensionValue
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists, InUse, Invalid, Refusal, UnknownReference
from erp.kernel.language import Noun, says
from erp.store import changes, events
from erp.store.router import WORKSPACE

MOST = 3
MAX_LEVELS = 10
"""The deepest nesting of values."""


class TooManyDimensions(Refusal):
    """A workspace has at most three dimensions. Archive one of them first."""


def add(new: NewDimension) -> Dimension:
    """Add a dimension.

    Raises:
        TooManyDimensions: there are three.
        AlreadyExists: another dimension has the code, or the field for DATEV.
    """
    _check_number()
    if Dimension.find_by(code=new.code) is not None:
        raise _taken(new.code)
    _check_datev(new.datev)
    dimension = Dimension.add(**_columns(new.changes()))
    _log(dimension, "created")
    return dimension


def change(id: str, body: DimensionChange) -> Dimension:
    """Change a dimension; what was posted with it stays.

    Raises:
        AlreadyExists: another dimension has the field for DATEV.
    """
    dimension = Dimension.find_to_change(id)
    values = changes.differing(dimension, _columns(body.changes()))
    if "datev" in values and dimension.archived_at is None:
        _check_datev(values["datev"], id)
    if values:
        data = {"changes": changes.before_and_after(dimension, values)}
        dimension.change(**values)
        _log(dimension, "updated", data)
    return dimension


def archive(id: str) -> Dimension:
    """Archive a dimension: nothing new is posted with it, and it is required nowhere."""
    WORKSPACE.forget(MEMO)
    return changes.archive(Dimension.find_to_change(id), _event_data)


def unarchive(id: str) -> Dimension:
    """Unarchive a dimension.

    Raises:
        TooManyDimensions: there are three others.
        AlreadyExists: another dimension has its field for DATEV.
    """
    dimension = Dimension.find_to_change(id)
    if dimension.archived_at is not None:
        _check_number()
        _check_datev(dimension.datev, id)
    WORKSPACE.forget(MEMO)
    return changes.unarchive(dimension, _event_data)


def add_value(id: str, new: NewDimensionValue) -> DimensionValue:
    """Add a value to a dimension.

    Raises:
        AlreadyExists: another value of the dimension has the code.
        UnknownReference: the dimension has no such parent.
    """
    dimension = Dimension.find(id)
    if DimensionValue.find_by(dimension_id=id, code=new.code) is not None:
        raise _taken(new.code)
    parent_id = _parent(id, new.parent_code)
    _check_departments(id, new.departments)
    value = DimensionValue.add(
        dimension_id=id, code=new.code, name=new.name, parent_id=parent_id, departments=new.departments
    )
    _log_value(dimension, value, "created")
    return value


def change_value(id: str, body: DimensionValueChange) -> DimensionValue:
    """Change the name or the parent of a value.

    Raises:
        UnknownReference: the dimension has no such parent.
        Invalid: it would be below itself, or too deep.
    """
    value = DimensionValue.find_to_change(id)
    sent = body.changes()
    if "parent_code" in sent:
        sent["parent_id"] = _parent(value.dimension_id, sent.pop("parent_code"), id)
    _check_departments(value.dimension_id, sent.get("departments", ()), id)
    values = changes.differing(value, sent)
    if values:
        data = {"changes": changes.before_and_after(value, values)}
        value.change(**values)
        _log_value(Dimension.find(value.dimension_id), value, "updated", data)
    return value


def archive_value(id: str) -> DimensionValue:
    """Archive a value: nothing new is posted with it, and it is no longer a default.

    Raises:
        InUse: there are values below it that are not archived.
    """
    value = DimensionValue.find_to_change(id)
    if WORKSPACE.rows(_OPEN_CHILDREN, (id,)):
        raise InUse(says("{code} has values below it. Archive those first.", code=value.code))
    WORKSPACE.forget(MEMO)
    return changes.archive(value, _value_data)


def unarchive_value(id: str) -> DimensionValue:
    """Unarchive a value, so that it can be posted with again."""
    WORKSPACE.forget(MEMO)
    return changes.unarchive(DimensionValue.find_to_change(id), _value_data)


_OTHERS = "SELECT * FROM dimension_value WHERE dimension_id = ? AND id <> ?"
_OPEN_CHILDREN = "SELECT 1 FROM dimension_value WHERE parent_id = ? AND archived_at IS NULL LIMIT 1"


def _columns(values: dict[str, Any]) -> dict[str, Any]:
    if "required_for" in values:
        values["required_for"] = [{"from": span.from_, "to": span.to} for span in values["required_for"]]
    return values


def _check_number() -> None:
    ((count,),) = WORKSPACE.rows("SELECT count(*) FROM dimension WHERE archived_at IS NULL")
    if count >= MOST:
        raise TooManyDimensions


def _check_datev(datev: str | None, own_id: str = "") -> None:
    """Refuse a field for DATEV that another dimension fills."""
    rows = WORKSPACE.rows(
        "SELECT name FROM dimension WHERE datev = ? AND id <> ? AND archived_at IS NULL", (datev, own_id)
    )
    for (name,) in rows:
        raise AlreadyExists(says("{name} already fills this field for DATEV.", name=name), field="datev")


def _taken(code: str) -> AlreadyExists:
    return AlreadyExists(says("{code} already exists. Choose another code.", code=code), field="code")


def _parent(id: str, code: str | None, own_id: str = "") -> str | None:
    if code is None:
        return None
    parent = DimensionValue.find_by(dimension_id=id, code=code)
    if parent is None:
        raise UnknownReference("parentCode", Noun("dimension value"))
    parents = dict(WORKSPACE.rows("SELECT id, parent_id FROM dimension_value WHERE dimension_id = ?", (id,)))
    above, levels = parent.id, 1
    while above not in (None, own_id) and levels < MAX_LEVELS:
        above, levels = parents[above], levels + 1
    if above is not None:
        message = says("A value cannot be below itself, and values nest at most {most} levels deep.", most=MAX_LEVELS)
        raise Invalid.one("parentCode", "too_deep", message)
    return str(parent.id)


def _check_departments(id: str, departments: Sequence[str], own_id: str = "") -> None:
    """Refuse a department that another value of the dimension has."""
    complaints, others = Complaints(), DimensionValue.fetch(_OTHERS, id, own_id)
    taken = {department: other.code for other in others for department in other.departments}
    for i, department in enumerate(departments):
        if department in taken:
            message = says("{department} already belongs to {code}.", department=department, code=taken[department])
            complaints.add(f"departments[{i}]", "already_exists", message)
    complaints.refuse()


def _log(dimension: Dimension, act: str, data: dict[str, Any] | None = None) -> None:
    WORKSPACE.forget(MEMO)
    events.write(f"dimension.{act}", "dimension", dimension.id, _event_data(dimension) | (data or {}))


def _log_value(dimension: Dimension, value: DimensionValue, act: str, data: dict[str, Any] | None = None) -> None:
    WORKSPACE.forget(MEMO)
    about = _value_data(value) | {"dimension": dimension.code} | (data or {})
    events.write(f"dimension_value.{act}", "dimension_value", value.id, about)


def _event_data(dimension: Dimension) -> dict[str, Any]:
    return {"code": dimension.code, "name": dimension.name}


def _value_data(value: DimensionValue) -> dict[str, Any]:
    return {"code": value.code, "name": value.name}
