"""The proof of a report: the head of the log that it was made from, and a hash of its figures.

The hash covers the report's name, its parameters, the keys of its columns, and each row's key, figures and addresses.
Words are left out: a report is the same in another language, and after an account or a contact has been renamed.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, cast

import msgspec

from erp.finance.reports.table.views import ReportColumn, ReportName, ReportProof, ReportRow
from erp.kernel import clock
from erp.store import events

_OF_FORM = frozenset({"format", "separator", "language", "tree", "limit", "cursor"})
"""Parameters that do not change the figures of a whole report."""


def of(
    name: str,
    query: Any,
    columns: Sequence[ReportColumn],
    digests: Sequence[str],
    *,
    since: date | None,
    until: date | None,
    more: Mapping[str, str] | None = None,
) -> ReportProof:
    """The proof of a report made now.

    Args:
        name: as in its address, with underscores.
        query: the one that asked for it.
        digests: of its rows, in any order.
        since: the first day that it shows, and `until` the last.
        more: parameters that the query does not have, or that choose a page.
    """
    report = cast(ReportName, name.replace("_", "-"))
    parameters = {**_parameters(query, since, until), **(more or {})}
    keys = [column.key for column in columns]
    content = {"report": report, "parameters": parameters, "columns": keys, "rows": sorted(digests)}
    seq, head = events.tip()
    return ReportProof(
        report=report,
        parameters=parameters,
        seq=seq,
        chain_head=head,
        content_hash=events.digest(events.canonical(content)),
        made_at=clock.made_at(),
    )


def digests(columns: Sequence[ReportColumn], rows: Sequence[ReportRow]) -> Iterator[str]:
    """The hash of each row that has figures, of these columns."""
    is_figure = {column.key: column.kind != "text" for column in columns}
    for row in rows:
        if row.cells:
            cells = {
                key: [cell.value if is_figure[key] else None, cell.currency or None, cell.link or None]
                for key, cell in row.cells.items()
                if key in is_figure
            }
            yield events.digest(events.canonical([row.kind, row.level, row.key, row.link, cells]))


def _parameters(query: Any, since: date | None, until: date | None) -> dict[str, str]:
    """The parameters of the query, with the days that it left out."""
    fields = {field.name: field for field in msgspec.structs.fields(type(query)) if field.name not in _OF_FORM}
    values = {name: getattr(query, name) for name, field in fields.items() if getattr(query, name) != field.default}
    if "date_from" in fields:
        values |= {"date_from": since, "date_to": until, "date": None}
    elif "date_to" in fields:  # a forecast from a day
        values |= {"date": since or until, "date_to": until if since else None}
    elif "date" in fields:
        values |= {"date": until}
    return {fields[name].encode_name: _text(value) for name, value in values.items() if value is not None}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
