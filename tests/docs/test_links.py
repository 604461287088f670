"""What the README and the pages of documentation refer to exists, and the README stays short."""

import re
from pathlib import Path

import pytest

from erp.web.pages import manual
from tests.docs.pages import FOLDER, PAGES, README, USING, blocks
from tests.paths import ROOT

LINK = re.compile(r'\]\(([^)]+)\)|(?:src|srcset)="([^"]+)"')
FILE = re.compile(r"`((?:erp|tests|packaging|\.github|\.ci)/[\w./-]+)`")
SCREENS = (ROOT / "erp" / "frontend" / "routes.js").read_text("utf-8")
FOR_CONTRIBUTORS = [ROOT / ".github" / name for name in ("CONTRIBUTING.md", "SECURITY.md")]


def links(path: Path) -> list[str]:
    return [one or other for one, other in LINK.findall(path.read_text("utf-8"))]


def anchors(path: Path) -> list[str]:
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return [manual.anchor(heading.replace("`", "")) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]


@pytest.mark.parametrize("path", [README, *FOR_CONTRIBUTORS, *PAGES, *USING], ids=lambda path: path.as_posix()[-24:])
def test_every_link_leads_somewhere(path):
    for link in links(path):
        name, _, anchor = link.partition("#")
        target = path.parent / name if name else path
        assert target.exists() or "://" in link or f'screen("{link}"' in SCREENS, link
        assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_page_links_to_other_pages_alone_since_the_program_shows_no_more(path):
    for link in links(path):
        assert re.fullmatch(r"((using/)?[\w-]+\.md)?(#[\w-]+)?", link), link


@pytest.mark.parametrize("path", [README, *FOR_CONTRIBUTORS, *PAGES], ids=lambda path: path.name)
def test_every_file_that_is_named_exists(path):
    for name in FILE.findall(path.read_text("utf-8")):
        assert (ROOT / name).exists(), name


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_two_headings_of_a_page_have_the_same_address(path):
    assert len(anchors(path)) == len(set(anchors(path)))


def test_the_program_shows_every_page():
    assert sorted(manual.NAMES) == [path.stem for path in PAGES]
    assert sorted(manual.using()) == sorted(path.relative_to(FOLDER).with_suffix("").as_posix() for path in USING)


def test_the_readme_leads_to_every_page():
    assert {FOLDER / f"{name}.md" for name in manual.NAMES} <= {ROOT / link for link in links(README)}


def test_the_readme_is_short_and_its_pictures_are_small():
    assert len(README.read_text("utf-8").splitlines()) <= 120
    pictures = [ROOT / link for link in links(README) if link.endswith(".png")]
    assert len(pictures) == 4
    assert all(picture.stat().st_size < 150_000 for picture in pictures)


def test_there_is_one_command_to_run_it_and_one_to_test_it():
    text = README.read_text("utf-8")
    assert [len(blocks(text, name)) for name in ("run", "test")] == [1, 1]
    assert all(len(blocks(text, name)[0].splitlines()) == 1 for name in ("run", "test"))
