"""Help has three short sentences for every screen, in every language."""

import re

import pytest

from erp.kernel import language
from erp.web.pages import manual, wording
from tests.web.test_static import FOLDER, MODULES, SCREENS

LONGEST = 140
MANUAL = re.compile(r'page\(\s*"([\w-]+)",\s*\(\) => t\("[^"]+"\),\s*"([^"]*)"')
AREAS = ("finance", "office", "people", "work")
ENTRY = re.compile(r'^  "([^"]+)": \(\) => \[(.*?)\],$', re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"[“„]([^“”„]+)[“”]")
SENTENCE = re.compile(r'\bt\(\s*"((?:[^"\\]|\\.)*)",?\s*\)')


def helped(area):
    """The sentences about each screen of an area."""
    return {name: SENTENCE.findall(texts) for name, texts in ENTRY.findall(script_of(area))}


def script_of(area):
    return (FOLDER / "help" / f"{area}.js").read_text("utf-8")


def test_each_screen_has_help_with_its_area():
    told = {name for area in AREAS for name in helped(area) if name.startswith(f"{area}/")}
    assert set(SCREENS) ^ told == set()


@pytest.mark.parametrize("area", AREAS)
def test_help_is_three_short_sentences_in_every_language(area):
    assert {name: len(texts) for name, texts in helped(area).items() if len(texts) != 3} == {}
    texts = {message.text for message in wording.marked(script_of(area))}
    assert len(texts) > 20
    assert {text for text in texts if len(text) > LONGEST} == set()
    for spoken in set(language.LANGUAGES) - {language.ENGLISH}:
        known = language.wordings(spoken)
        assert {text for text in texts if not known.get(text) or len(known[text]) > LONGEST} == set()


def test_help_names_buttons_and_pages_as_they_are_called():
    scripts = [(FOLDER / name).read_text("utf-8") for name in MODULES if not name.startswith("help/")]
    labels = {message.text for script in scripts for message in wording.marked(script)}
    texts = {message.text for area in AREAS for message in wording.marked(script_of(area))}
    assert {name for text in texts for name in QUOTED.findall(text)} - labels == set()
    for spoken in set(language.LANGUAGES) - {language.ENGLISH}:
        known = language.catalogue(spoken)
        here = {said for key, said in known.items() if key.rpartition("\x04")[2] in labels}
        assert {name for text in texts for name in QUOTED.findall(known[text])} - here == set()


def test_help_leads_to_a_page_of_the_manual_from_screens_that_there_are():
    pages = dict(MANUAL.findall(script_of("manual")))
    assert set(pages) == {job for job, _ in manual.using().values()}
    beginnings = [beginning for at in pages.values() for beginning in at.split()]
    assert len(beginnings) == len(set(beginnings))
    addresses = re.findall(r'screen\("([^"]+)"', (FOLDER / "routes.js").read_text("utf-8"))
    named = [address for address in addresses if address.startswith(tuple(beginnings))]
    unused = {one for one in beginnings if not any(address.startswith(one) for address in addresses)}
    assert unused <= {"/reports/asset"}, "a report is a value in the address"
    assert len(named) > 80
