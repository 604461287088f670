"""Every message has its German wording, with the same named places, and none is forgotten."""

import importlib.util
import string
from types import ModuleType

import pytest

import erp.app
from erp.kernel import language
from erp.kernel.errors import Refusal, summary
from tests.paths import ROOT


@pytest.fixture(scope="module")
def messages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("messages", ROOT / "packaging" / "messages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def in_python(messages):
    return messages.in_python()


def places(text):
    """The names of the places of a template; in a rule about braces, the braces themselves."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def kinds(kind: type[Refusal]):
    return {kind}.union(*(kinds(other) for other in kind.__subclasses__()))


def test_every_message_of_the_server_has_a_german_wording(in_python):
    german = language.catalogue("de")
    assert [text for text, _ in sorted(in_python, key=str) if text not in german] == [], "python packaging/messages.py"


def test_a_german_wording_has_the_places_of_the_english_one():
    german = language.catalogue("de")
    assert {text for text, wording in german.items() if places(text) != places(wording)} == set()


def test_no_german_wording_is_of_a_message_that_is_gone(messages, in_python):
    known = {text for text, _ in in_python} | {text for text, _ in messages.in_javascript()}
    assert sorted(set(language.catalogue("de")) - known) == []


def test_every_refusal_of_the_program_is_collected(messages, in_python):
    assert erp.app.areas()
    said = {summary(kind) for kind in kinds(Refusal) if not kind.__module__.startswith(("erp.runtime", "erp.commands"))}
    assert len(said) > 100
    assert said <= {text for text, _ in in_python}


def test_no_message_is_put_together_where_nobody_can_translate_it(messages):
    assert messages.unsaid() == []


def test_every_message_of_the_pages_has_a_german_wording(messages):
    german = language.of_frontend("de")
    wanted = messages.in_javascript()
    assert sorted(one for one, several in wanted if not isinstance(german.get(one), list if several else str)) == []


def test_the_literals_of_scripts_are_found(messages, monkeypatch, tmp_path):
    (tmp_path / "frontend").mkdir()
    script = 'set(t("Book \\"it\\"")); t(\'Void\');\nlet x = tn("{n} line", "{n} lines", count); start("no"); t(name)'
    (tmp_path / "frontend" / "page.js").write_text(script, "utf-8")
    monkeypatch.setattr(messages, "SOURCES", tmp_path)
    assert set(messages.in_javascript()) == {('Book "it"', None), ("Void", None), ("{n} line", "{n} lines")}
