"""Records: the base of every table, ids, and finding, adding and changing a record."""

import os
import threading
import time
from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any, ClassVar, Self

from peewee import CompositeKey, IntegerField, Model, TextField

from erp.kernel import caller, clock
from erp.kernel.errors import NotFound, VersionMismatch
from erp.kernel.language import Noun
from erp.store import names, recorded, rows
from erp.store.router import CONTROL, WORKSPACE

_UUID7 = "%08x-%04x-7%03x-%04x-%012x"
"""Measured: half the time of an f-string."""

_lock = threading.Lock()
_last_instant = 0
_drawn: list[int] = []


def new_id() -> str:
    """Make a UUIDv7; within the process, later ones sort after earlier ones.

    Source: RFC 9562 §6.2, method 3: twelve bits below the millisecond, counted up while the clock does not move.
    """
    global _last_instant, _drawn
    with _lock:
        _last_instant = instant = max(_last_instant + 1, time.time_ns() * 4096 // 1_000_000)
        if not _drawn:  # many at once: each time the system is asked, another thread takes its turn
            _drawn = array("Q", os.urandom(4096)).tolist()
        random = _drawn.pop()
    moment = instant >> 28, instant >> 12 & 0xFFFF, instant & 0xFFF
    return _UUID7 % (*moment, random >> 50 | 0x8000, random & 0xFFFF_FFFF_FFFF)


KEPT_BY_ITSELF = frozenset({"id", "version", "created_at", "updated_at", "created_by"})
"""Columns that no event records: the event itself has the user and the time."""

PERSONAL = frozenset({"address", "bank_account", "bic", "email", "iban", "note", "notes", "phone", "tax_number"})
"""Columns of any table with content that no event may quote."""


class Recorded(Model):
    """A table whose rows the events record, if `is_recorded`: `erp check` compares them with the latest event.

    Writes through models are recorded automatically; fixed SQL calls `record_columns`. A change without a later event
    in the same transaction must be of a derived column.
    """

    is_recorded: ClassVar[bool] = False
    derived: ClassVar[frozenset[str]] = frozenset()
    """Columns that follow from other rows; no event records them."""
    sealed: ClassVar[frozenset[str]] = frozenset()
    """Columns that no event may quote, in addition to `PERSONAL`."""

    @classmethod
    def record_columns(cls, id: str, values: Mapping[str, Any]) -> None:
        """Let the next event of this transaction record columns of a row."""
        if cls.is_recorded:
            recorded.note(cls._meta.table_name, id, cls.as_recorded(values))

    @classmethod
    def record_whole(cls, id: str, values: Mapping[str, Any], apart: Sequence[str]) -> None:
        """As `record_columns`, with all columns but those `apart` in one seal: for many rows at once, and for pay."""
        skipped = _unrecorded(cls)
        row = {column: recorded.plain(value) for column, value in values.items() if column not in skipped}
        recorded.note(cls._meta.table_name, id, recorded.whole(row, apart))

    @classmethod
    def record_whole_rows(cls, columns: Sequence[str], rows: Sequence[Sequence[Any]], apart: Sequence[str]) -> None:
        """As `record_whole`, of thousands of new rows with values as the file stores them, in the order of columns."""
        skipped = _unrecorded(cls) - {"id"}
        places = [place for place, column in enumerate(columns) if column not in skipped]
        kept, values_of = [columns[place] for place in places], itemgetter(*places)
        recorded.note_whole_rows(cls._meta.table_name, kept, map(values_of, rows), apart)

    @classmethod
    def record_removed(cls, id: str) -> None:
        """Let the next event of this transaction record that a row was deleted."""
        if cls.is_recorded:
            recorded.note_removed(cls._meta.table_name, id)

    @classmethod
    def as_recorded(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Columns as an event records them."""
        unquoted, unrecorded = _unquoted(cls), _unrecorded(cls)
        return {
            column: recorded.Sealed(recorded.plain(value)) if column in unquoted and value is not None else value
            for column, value in values.items()
            if column not in unrecorded
        }

    @classmethod
    def personal(cls) -> frozenset[str]:
        """The columns that are about a person by their name."""
        return PERSONAL

    @classmethod
    def has_one_key(cls) -> bool:
        """Whether one column identifies a row; a row that two identify follows from others, and is not recorded."""
        return not isinstance(cls._meta.primary_key, CompositeKey)

    @classmethod
    def fetch(cls, sql: str, *parameters: Any) -> list[Self]:
        """The records that a fixed query selects."""
        return rows.as_models(cls, cls._meta.database.run(sql, parameters))

    @classmethod
    def find_by(cls, **values: Any) -> Self | None:
        """A row with these values, by the names of columns, if there is one."""
        query, columns = rows.search(cls, tuple(values))
        matching = rows.as_models(cls, cls._meta.database.run(query, [*values.values()]), columns)
        return matching[0] if matching else None

    def save(self, force_insert: bool = False, only: Any = None) -> int:
        """Insert the row; a row that is there already is changed by `change`."""
        assert force_insert, "only new rows are saved"
        self._meta.database.run(*rows.insertion(type(self), self.__data__))
        self._record_columns()
        return 1

    def delete_instance(self, recursive: bool = False, delete_nullable: bool = False) -> Any:
        deleted = super().delete_instance(recursive, delete_nullable)
        if self.is_recorded and self.has_one_key():
            self.record_removed(self._row_id())
        return deleted

    def _row_id(self) -> str:
        key: Any = self._meta.primary_key
        return str(self.__data__[key.name])

    def _record_columns(self, *names: str) -> None:
        """Record the columns of these names, or all."""
        if self.is_recorded and self.has_one_key():
            fields = [self._meta.combined[name] for name in names] or self._meta.sorted_fields
            self.record_columns(self._row_id(), {field.column_name: self.__data__.get(field.name) for field in fields})


@cache
def _unquoted(table: type[Recorded]) -> frozenset[str]:
    return table.sealed | table.personal()


@cache
def _unrecorded(table: type[Recorded]) -> frozenset[str]:
    return table.derived | KEPT_BY_ITSELF


class Record(Recorded):
    """A table of records: an id, a version, and the times of creation and of the last change."""

    id = TextField(primary_key=True, default=new_id)
    version = IntegerField(default=1)
    created_at = TextField(default=clock.stamp)
    updated_at = TextField(default=clock.stamp)

    noun: ClassVar[Noun] = Noun("record")

    @classmethod
    def find(cls, id: str) -> Self:
        """The record with that id.

        Raises:
            NotFound: there is none in this file.
        """
        record = cls.find_or_none(id)
        if record is None:
            raise NotFound(cls.noun.missing())
        return record

    @classmethod
    def find_or_none(cls, id: str) -> Self | None:
        return cls.find_by(id=id)

    @classmethod
    def find_to_change(cls, id: str) -> Self:
        """The record with that id, in the version that the caller's `If-Match` names.

        Raises:
            NotFound: there is none in this file.
            VersionMismatch: it has another version by now.
        """
        record = cls.find(id)
        record.check_version()
        return record

    def check_version(self) -> None:
        """Refuse if the caller expects another version."""
        who = caller.current()
        who.match_checked = True
        if who.if_match is not None and who.if_match != self.version:
            raise VersionMismatch(version=self.version)

    @classmethod
    def add(cls, **values: object) -> Self:
        record: Self = cls.create(**values)
        return record

    def change(self, **values: object) -> None:
        """Write the values, and increase the version by one."""
        for name, value in values.items():
            setattr(self, name, value)
        self.version += 1
        self.updated_at = clock.stamp()
        fields = [self._meta.combined[name].name for name in (*values, "version", "updated_at")]
        self._meta.database.run(*rows.change(type(self), {name: self.__data__[name] for name in fields}, self.id))
        if values:
            self._record_columns(*values)


class ControlRecord(Record):
    class Meta:
        database = CONTROL
        legacy_table_names = False


class WorkspaceTable(Recorded):
    """A table of a workspace's file whose rows are not records with an id and a version."""

    is_recorded = True

    class Meta:
        database = WORKSPACE
        legacy_table_names = False


class WorkspaceRecord(Record):
    """A record of a workspace's file, with the user who created it."""

    is_recorded = True

    created_by = TextField(null=True, default=lambda: caller.current().user_id)

    @property
    def created_by_name(self) -> str | None:
        return names.of_user(self.created_by)

    class Meta:
        database = WORKSPACE
        legacy_table_names = False
