"""Every table that names a person says which of its columns are personal."""

import pytest

from erp.desk.privacy.declared import HELD, KINDS, YEARS
from erp.store.router import WORKSPACE
from tests.desk.privacy.impersonal import COMMON, EXCUSED, IMPERSONAL

NAMING = {
    "user_id",
    "employee_id",
    "contact_id",
    "customer_id",
    "supplier_id",
    "email",
    "phone",
    "iban",
    "bank_account",
}
"""Columns that name a person, or may."""
PEOPLE = {"employee", "contact", "person"}


@pytest.fixture
def schema(acme):
    """The columns of each table, and the tables that it refers to."""
    with acme.books():
        tables = [name for (name,) in WORKSPACE.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            table: (
                {column for _, column, *_ in WORKSPACE.rows(f"PRAGMA table_info({table})")},
                {other for _, _, other, *_ in WORKSPACE.rows(f"PRAGMA foreign_key_list({table})")},
            )
            for table in tables
        }


def test_every_table_that_names_a_person_is_declared_or_excused(schema):
    naming = {
        table
        for table, (columns, others) in schema.items()
        if table in PEOPLE or columns & NAMING or others & PEOPLE or any("user_id" in column for column in columns)
    }
    declared = {held.table for held in HELD}
    assert naming - declared - EXCUSED.keys() == set()
    assert (declared | EXCUSED.keys()) - schema.keys() == set()
    assert declared & EXCUSED.keys() == set()
    assert all(EXCUSED.values())


def test_every_column_of_them_is_personal_or_said_to_stay(schema):
    whole = {held.table for held in HELD if held.deleted}
    for table in {held.table for held in HELD} - whole:
        personal = {column for held in HELD if held.table == table for column in held.personal}
        stays = set(IMPERSONAL[table].split())
        assert personal & stays == set(), table
        assert personal | stays | COMMON >= schema[table][0], table
        assert personal | stays <= schema[table][0], table
    assert IMPERSONAL.keys() == {held.table for held in HELD} - whole


def test_every_kind_of_data_has_a_time(schema):
    assert set(KINDS) == set(YEARS) == {held.kind for held in HELD}
