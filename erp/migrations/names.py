"""Columns take the names that their fields have in requests and answers."""

from erp.migrations import Connection

RENAMED = {
    ("contact", "notes"): "note",
    ("employee", "manager_id"): "manager_employee_id",
    ("invoice", "notes"): "note",
    ("invoice", "type"): "kind",
    ("leave_type", "paid"): "is_paid",
    ("pay_component", "pre_tax"): "is_pre_tax",
    ("pay_component", "prorated"): "is_prorated",
    ("pay_component", "taxable"): "is_taxable",
    ("project", "owner_id"): "owner_user_id",
    ("task", "billable"): "is_billable",
    ("task", "reporter_id"): "reporter_user_id",
    ("time_log", "billable"): "is_billable",
    ("timer", "billable"): "is_billable",
}
"""The new name by table and column; SQLite rewrites the triggers, indexes and checks that name it."""


def workspace(connection: Connection) -> None:
    """Rename the columns of a workspace's file."""
    for (table, column), name in RENAMED.items():
        _rename(connection, table, column, name)
    connection.execute("DROP INDEX employee_manager_id")
    connection.execute("CREATE INDEX employee_manager_employee_id ON employee (manager_employee_id)")


def control(connection: Connection) -> None:
    """Rename the columns of the control file."""
    _rename(connection, "session", "read_only", "is_read_only")


def _rename(connection: Connection, table: str, column: str, name: str) -> None:
    connection.execute(f"ALTER TABLE {table} RENAME COLUMN {column} TO {name}")
