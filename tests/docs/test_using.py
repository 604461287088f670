"""The manual has a short page a job, in every language, and names each button and page as the program does."""

import re

import pytest

from erp.kernel import language
from erp.web.pages import manual
from tests.docs.pages import FOLDER, USING
from tests.paths import ROOT

LINES, WIDTH = 60, 120
SIZE = 900_000
LABEL = re.compile(r"[“„]([^“”„]+)[“”]|\*\*([^*]+)\*\*")
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
STEP = re.compile(r"^(?:\d+\.|-) ", re.MULTILINE)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
PLACE = re.compile(r"\\\{\w+\\\}")
FILLED = r"[^“”]*\\d[^“”]*"
SCRIPT = (ROOT / "erp" / "frontend" / "help" / "manual.js").read_text("utf-8")
TITLES = dict(re.findall(r'page\(\s*"([\w-]+)",\s*\(\) => t\("([^"]+)"\)', SCRIPT))


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text("utf-8")


def title_of(job: str, spoken: str) -> str:
    return TITLES[job] if spoken == language.ENGLISH else str(language.catalogue(spoken)[TITLES[job]])


def labels(spoken: str) -> set[str]:
    """All that the program says in a language."""
    known = language.wordings("de")
    texts = known.values() if spoken != language.ENGLISH else (key.rpartition("\x04")[2] for key in known)
    return {form for text in texts for form in ([text] if isinstance(text, str) else text)}


def quoted(name: str) -> set[str]:
    text = re.sub(r"\s+", " ", text_of(name))
    return {one or other for one, other in LABEL.findall(text)}


def is_filled(label: str, templates: list[str]) -> bool:
    """Whether a label is one with a number in its place, such as “Lock August 2026”."""
    return bool(re.search(r"\d", label)) and any(re.fullmatch(template, label) for template in templates)


def test_each_job_has_a_page_in_every_language():
    assert {path.relative_to(FOLDER).with_suffix("").as_posix() for path in USING} == set(manual.using())
    assert set(TITLES) == {job for job, _ in manual.using().values()}


@pytest.mark.parametrize("spoken", language.LANGUAGES)
def test_the_manual_names_buttons_and_pages_as_they_are_called(spoken):
    known = labels(spoken)
    with_places = [one for one in known if len(one) < 60 and re.search(r"\w{3}.*\{|\}.*\w{3}", one)]
    filled = [PLACE.sub(FILLED, re.escape(one)) for one in with_places]
    pages = [name for name, (_, own) in manual.using().items() if own == spoken]
    unknown = {(name, label) for name in pages for label in quoted(name) - known if not is_filled(label, filled)}
    assert unknown == set()


def test_each_page_is_short_and_like_its_other_languages():
    for name, (job, spoken) in manual.using().items():
        text, english = text_of(name), text_of(manual.name_of(job, language.ENGLISH))
        assert len(text.splitlines()) <= LINES, name
        assert max(map(len, text.splitlines())) <= WIDTH, name
        (_, title), *others = HEADING.findall(text)
        assert title == title_of(job, spoken), name
        assert [level for level, _ in others] == ["##"] * 4, name
        assert [len(found.findall(text)) for found in (STEP, PICTURE)] == [
            len(found.findall(english)) for found in (STEP, PICTURE)
        ], name
        for alt, picture in PICTURE.findall(text):
            assert len(alt) > 10, name
            assert picture == f"pictures/{job}.webp"
            assert ((FOLDER / name).parent / picture).is_file(), picture


def test_the_manual_is_small_and_has_no_picture_that_no_page_shows():
    shown = {
        (FOLDER / name).parent / picture for name in manual.using() for _, picture in PICTURE.findall(text_of(name))
    }
    assert {FOLDER / name for name in manual.pictures()} == shown
    assert set(FOLDER.rglob("*.webp")) == shown
    assert sum(path.stat().st_size for path in [*USING, *shown]) < SIZE
