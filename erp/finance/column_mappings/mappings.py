"""Column mappings: kept by hand, found again by the headings of a file, and applied to it."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, cast

from erp.finance.column_mappings.bodies import ColumnMappingChange, Mapped, NewColumnMapping
from erp.finance.column_mappings.models import ColumnMapping, TargetName
from erp.finance.column_mappings.proposing import trimmed
from erp.finance.column_mappings.targets import SIGNED, TARGETS, Target
from erp.kernel.complaints import Complaints
from erp.kernel.errors import AlreadyExists
from erp.kernel.intake import amounts, day_order
from erp.kernel.intake.budget import go_on
from erp.kernel.intake.day_order import DateOrder
from erp.kernel.language import Listed, says
from erp.store import changes, control, events
from erp.web.transport.sheets import Table


def kept(target: TargetName, headings: Sequence[str]) -> ColumnMapping | None:
    """The mapping of files with these headings, if there is one."""
    return ColumnMapping.find_by(target=target, headings_key=_key(headings))


def _key(headings: Sequence[str]) -> str:
    return "\n".join(trimmed(headings)).casefold()


def add(body: NewColumnMapping) -> ColumnMapping:
    """Keep the mapping of files with the same headings.

    Raises:
        Invalid: it names unknown fields or columns, or lacks some.
        AlreadyExists: these headings have one.
    """
    _check(TARGETS[body.target], body.headings, body)
    present = kept(body.target, body.headings)
    if present is not None:
        raise AlreadyExists(says("Files with these headings have the mapping {name}.", name=present.name))
    mapping = ColumnMapping.add(
        target=body.target,
        name=body.name,
        headings=trimmed(body.headings),
        headings_key=_key(body.headings),
        columns=body.columns,
        defaults=body.defaults,
        decimal_sign=body.decimal_sign,
        date_order=body.date_order,
    )
    events.write("column_mapping.created", "column_mapping", mapping.id, event_data(mapping))
    return mapping


def change(id: str, body: ColumnMappingChange) -> ColumnMapping:
    """Change a mapping; what has been imported stays.

    Raises:
        Invalid: it names unknown fields or columns, or lacks some.
    """
    mapping = ColumnMapping.find_to_change(id)
    if values := changes.differing(mapping, body.changes()):
        for name, value in values.items():
            setattr(mapping, name, value)
        _check(TARGETS[mapping.target], mapping.headings, mapping)
        mapping.change(**values)
        events.write("column_mapping.updated", "column_mapping", id, event_data(mapping))
    return mapping


def remove(id: str) -> None:
    """Delete a mapping; what has been imported stays."""
    changes.delete(ColumnMapping.find_to_change(id), says("The column mapping is in use."), event_data)


def event_data(mapping: ColumnMapping) -> dict[str, Any]:
    return {"name": mapping.name, "target": mapping.target}


def _check(target: Target, headings: Sequence[str], mapping: Mapped) -> None:
    complaints = Complaints()
    names = trimmed(headings)
    for part in ("columns", "defaults"):
        for field in getattr(mapping, part):
            if field not in target.words:
                message = says("There is no such field. Use {fields}.", fields=Listed.of([*target.words]))
                complaints.add(f"{part}.{field}", "unknown_field", message)
    for field, heading in mapping.columns.items():
        if heading not in names:
            complaints.add(f"columns.{field}", "unknown_heading", says("The file has no such heading."))
    for group in target.needed:
        if not any(field in mapping.columns or field in mapping.defaults for field in group):
            message = says("Choose a column for {fields}.", fields=Listed.of([*group], "or"))
            complaints.add(f"columns.{group[0]}", "required", message)
    complaints.refuse()


def in_own_headings(target: TargetName, table: Table, field: str) -> Table:
    """A table with our headings, if the mapping of its headings is kept; another as it is. It takes no lock.

    Raises:
        Invalid: the order of day and month is not certain.
    """
    with control.reading_own():
        mapping = kept(target, table[0]) if table else None
    return table if mapping is None else [*_applied(mapping, table, field)]


def _applied(mapping: ColumnMapping, table: Table, field: str) -> Iterator[list[str]]:
    """The table in our fields; each row stays in its place, blank where nothing is left of it."""
    target = TARGETS[mapping.target]
    places = {name: mapping.headings.index(heading) for name, heading in mapping.columns.items()}
    rows = [
        {name: line[place].strip() if place < len(line) else "" for name, place in places.items()} for line in table[1:]
    ]
    days = [row[name] for row in rows for name in target.days if name in row]
    day = day_order.reader(days, cast(DateOrder | None, mapping.date_order), field)
    fields = [name for name in target.words if name != SIGNED]
    yield fields
    for row in rows:
        go_on()
        cells = mapping.defaults | {name: cell for name, cell in row.items() if cell} if any(row.values()) else {}
        cells |= {name: day(cells[name]) for name in target.days if name in cells}
        cells |= {name: values.get(cells[name].casefold(), cells[name]) for name, values in _values(target, cells)}
        cells |= {name: amounts.plain(cells[name], mapping.decimal_sign) for name in target.amounts if name in cells}
        yield [cells.get(name, "") for name in fields] if not target.amounts or _split(cells) else []


def _values(target: Target, cells: Mapping[str, str]) -> Iterator[tuple[str, Mapping[str, str]]]:
    return ((name, values) for name, values in target.values.items() if name in cells)


def _split(cells: dict[str, str]) -> bool:
    """Write what a row comes to on one side, a debit or a credit; False where nothing is left.

    A row with an amount that is no number stays as it is, to be refused with its text.
    """
    signs = {"debit": 1, "credit": -1, SIGNED: 1}
    numbers = {name: amounts.number(cells[name] or "0") for name in signs if name in cells}
    if None in numbers.values():
        cells.setdefault("debit", cells.get(SIGNED, ""))
        return True
    net = sum((signs[name] * number for name, number in numbers.items() if number is not None), Decimal(0))
    for name in numbers:
        del cells[name]
    cells["debit" if net > 0 else "credit"] = f"{abs(net):f}"
    if "foreignAmount" in cells:
        cells["foreignAmount"] = cells["foreignAmount"].lstrip("-")
    return bool(net)
