"""A test of a page waits for the state it expects: the page draws after its answers, on a slow machine much later."""

import ast
from collections.abc import Iterator

from tests.paths import ROOT

AT_ONCE = {"is_visible", "is_hidden", "is_checked", "is_enabled", "is_disabled", "is_editable"}
AT_ONCE |= {"get_attribute", "inner_text", "input_value", "text_content"}
"""Reads of Playwright that do not wait for a value. `expect` does."""


def reads_at_once(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assert):
            continue
        equals = isinstance(node.test, ast.Compare) and isinstance(node.test.ops[0], ast.Eq)
        for call in ast.walk(node.test):
            match call:
                case ast.Call(func=ast.Attribute(attr=name)) if name in AT_ONCE:
                    yield ast.unparse(node.test)
                case ast.Call(func=ast.Attribute(attr="count"), args=[]) if equals:
                    yield ast.unparse(node.test)


def test_a_state_of_a_page_is_awaited():
    assert list(reads_at_once(ast.parse("assert page.get_by_text('28.00').first.is_visible()")))
    assert list(reads_at_once(ast.parse("assert rows.count() == 2")))
    assert not list(reads_at_once(ast.parse("assert rows.count() < 100\nassert names.count('Anna') == 1")))
    files = sorted((ROOT / "tests" / "frontend").rglob("*.py"))
    found = {file.name: list(reads_at_once(ast.parse(file.read_text("utf-8")))) for file in files}
    assert {name: reads for name, reads in found.items() if reads} == {}
