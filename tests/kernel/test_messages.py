"""Every message has its German wording, with the same named places, and none is forgotten."""

import importlib.util
import string
from types import ModuleType
from typing import get_args

import pytest

import erp.app
from erp.finance.books import bodies as accounts
from erp.finance.books import chart
from erp.finance.contacts import store as contacts
from erp.finance.documents import models as documents
from erp.finance.invoices import views as invoices
from erp.finance.items import documents as items
from erp.finance.write_downs import views as write_downs
from erp.hr.attendance.corrections import corrections
from erp.hr.leave import views as leave
from erp.hr.payroll import models as payroll
from erp.kernel import language
from erp.kernel.errors import Refusal, summary
from erp.members import invites, memberships
from erp.projects import states as projects
from erp.tasks import statuses as tasks
from tests.paths import ROOT

CLOSED_SETS = (
    *(chart.AccountType, chart.Side, accounts.Subtype, contacts.Side, items.Direction),
    *(documents.InvoiceKind, invoices.InvoiceStatus, write_downs.DeductionKind),
    *(corrections.CorrectionStatus, leave.Status, payroll.RunStatus, projects.Status, tasks.Status),
    *(invites.Status, memberships.Status),
)
"""Those whose values stand in sentences, by `Word.of`."""


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


def german():
    """The German texts by message."""
    return {
        (entry.msgid, entry.msgctxt or "", entry.msgid_plural or ""): (
            [text for _, text in sorted(entry.msgstr_plural.items())] or [entry.msgstr]
        )
        for entry in language.entries("de")
    }


def test_every_message_has_a_german_wording_and_none_is_of_a_message_that_is_gone(messages, in_python):
    assert set(german()) == {tuple(message) for message in in_python | messages.in_javascript()}, (
        "python packaging/messages.py"
    )


def test_a_german_wording_has_the_places_of_the_english_one():
    wrong = {
        text: wordings
        for (text, _, several), wordings in german().items()
        for english, wording in zip((text, several or text), (wordings[0], wordings[-1]), strict=True)
        if places(wording) != places(english)
    }
    assert wrong == {}


def test_every_refusal_of_the_program_is_collected(in_python):
    assert erp.app.areas()
    said = {summary(kind) for kind in kinds(Refusal) if not kind.__module__.startswith(("erp.runtime", "erp.commands"))}
    assert len(said) > 100
    assert said <= {message.text for message in in_python}


def test_nothing_is_marked_that_nobody_can_translate(messages):
    assert messages.unmarked_in_python() == []
    assert messages.unmarked_in_javascript() == []


def test_a_text_that_is_put_together_is_found_where_it_is_marked(messages, monkeypatch, tmp_path):
    (tmp_path / "frontend").mkdir()
    (tmp_path / "rule.py").write_text(
        "says('One {n}.', n=1)\nsays(f'Two {n}.')\nWord(value)\nWord.of(value)\n", "utf-8"
    )
    (tmp_path / "frontend" / "whole.js").write_text(
        't("One"); t.of("act", "Pay"); tn("{n} day", "{n} days", n);', "utf-8"
    )
    (tmp_path / "frontend" / "parts.js").write_text("t(name); const text = t(`Two ${name}`);", "utf-8")
    monkeypatch.setattr(messages, "SOURCES", tmp_path)
    assert messages.unmarked_in_python() == ["erp/rule.py:2", "erp/rule.py:3"]
    assert messages.unmarked_in_javascript() == ["erp/frontend/parts.js"]


def test_the_marked_texts_of_python_are_found(messages, monkeypatch, tmp_path):
    (tmp_path / "rule.py").write_text(
        'class Void(Refusal):\n    """{number} is\n    void.\n\n    More."""\n\n'
        'says("1 day" if one else "{n} days", n=2)\nWord("Code", "account")\nNoun("contact")\nnote("No message.")\n',
        "utf-8",
    )
    monkeypatch.setattr(messages, "SOURCES", tmp_path)
    assert messages.in_python() == {
        *(("{number} is void.", "", ""), ("1 day", "", ""), ("{n} days", "", ""), ("Code", "account", "")),
        *(("There is no such contact.", "", ""), ("There is no such contact in this workspace.", "", "")),
    }


def test_the_sentences_about_a_missing_record_are_those_that_are_collected(messages):
    noun = language.Noun("{noun}")
    assert (noun.missing(), noun.missing_here()) == messages.OF_NOUNS


def test_every_value_of_a_closed_set_that_stands_in_sentences_is_marked(in_python):
    marked = {message.text for message in in_python}
    values = {value.replace("_", " ") for kind in CLOSED_SETS for value in get_args(kind)}
    assert sorted(values - marked) == []


def test_the_literals_of_scripts_are_found(messages, monkeypatch, tmp_path):
    (tmp_path / "frontend").mkdir()
    script = (
        'set(t("Book \\"it\\"")); t(\'Void\');\nlet x = tn("{n} line", "{n} lines", count); start("no"); '
        't.of(\n  "act",\n  "Pay",\n); \n  // t("Never")\n'
    )
    (tmp_path / "frontend" / "page.js").write_text(script, "utf-8")
    monkeypatch.setattr(messages, "SOURCES", tmp_path)
    assert messages.in_javascript() == {
        *(('Book "it"', "", ""), ("Void", "", ""), ("{n} line", "", "{n} lines"), ("Pay", "act", "")),
    }


def test_a_context_is_in_no_english_text_and_chooses_the_german_one():
    noun, act = language.Word("Viewer", "role"), language.Word("Viewer")
    assert (noun, language.translated(noun, "de")) == ("Viewer", "Nur lesen")
    assert language.translated(act, "de") != "Nur lesen"
