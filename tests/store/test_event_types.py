"""The list of event types is what the program writes."""

import ast
import re

from erp.kernel.roles import PERMISSION_NAMES
from erp.store.event_types import ACTS, TYPES
from tests.paths import ROOT

SPELLED = re.compile(r"[a-z_]+\.[a-z_]+")


COLUMNS = {
    "account.subtype",
    "asset.id",
    "contact.id",
    "contact.name",
    "invoice.contact_id",
    "invoice.id",
    "leave.employee_id",
    "open_item.contact_id",
    "payment.contact_id",
    "project.code",
    "project.id",
    "project.name",
    "quote.contact_id",
    "quote.id",
    "reminder.id",
}
"""Columns in SQL, which are spelled like events."""


def words() -> set[str]:
    """Every text in code that is not the list itself."""
    sources = [path for path in (ROOT / "erp").rglob("*.py") if path.name != "event_types.py"]
    nodes = [node for path in sources for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_every_type_that_is_spelled_in_code_is_in_the_list():
    spelled = {word for word in words() if SPELLED.fullmatch(word) and word.partition(".")[0] in ACTS}
    others = PERMISSION_NAMES | COLUMNS | {"invoice.xml", "leave.ics", "person.name", "webhook.test"}
    assert spelled - others - TYPES == set()


def test_every_type_in_the_list_is_written():
    known = words()
    assert {word for word in TYPES if word not in known and word.partition(".")[2] not in known} == set()
