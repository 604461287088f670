"""Letters beyond the program's own typeface: found on the computer, joined, and put in the order of reading."""

import pytest

from erp.kernel import config
from erp.kernel.config import Config
from erp.kernel.paper import pdf, typefaces
from tests.typefaces import typeface

pytest.importorskip("fpdf")


@pytest.fixture
def paper(tmp_path, monkeypatch):
    monkeypatch.setattr(typefaces, "_installed", lambda: ())
    with config.use(Config(data_dir=tmp_path)):
        made = pdf.blank()
        made.set_font(pdf.FACE)
        yield made
        made.output()


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("Alster Verlag KG", "Alster Verlag KG"),
        ("Ελλάδα, Україна", "Ελλάδα, Україна"),
        ("שלום", "םולש"),
        ("חברת ABC 12", "ABC 12 תרבח"),
        ("Rechnung für שלום", "Rechnung für םולש"),
    ],
)
def test_a_line_is_printed_in_the_order_of_reading(line, printed):
    assert typefaces.in_order(line) == printed


def test_arabic_letters_take_the_forms_that_they_have_beside_each_other():
    assert typefaces.joined("سلام") == "ﺳﻼﻡ"  # initial, ligature of lam and alef, isolated
    assert typefaces.joined("Alster, שלום") == "Alster, שלום"


def test_a_typeface_in_the_data_folder_is_used_and_the_others_are_not_opened(paper, tmp_path):
    typeface(tmp_path / "fonts" / "Chinese.ttf", "中文")
    typeface(tmp_path / "fonts" / "Other.ttf", "ab")
    (tmp_path / "fonts" / "broken.ttf").write_bytes(b"no typeface")
    (tmp_path / "fonts" / "readme.txt").write_text("Not one either.")
    assert typefaces.legible(paper, "中文公司 12") == "中文?? 12"
    assert sorted(paper.fonts) == ["chinese", "noto sans"]
    assert typefaces.can_write(paper, "中文")
    assert not typefaces.can_write(paper, "公司")


def test_joined_forms_that_a_typeface_lacks_are_left_apart(paper, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("tests.typefaces.joined", lambda letters: letters)
        typeface(tmp_path / "fonts" / "Arabic.ttf", "سلام")
    assert typefaces.legible(paper, "سلام") == "سلام"


def test_a_typeface_that_must_not_be_embedded_is_left_alone(paper, tmp_path):
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    path = typeface(tmp_path / "fonts" / "Chinese.ttf", "中")
    font = TTFont(path)
    font["OS/2"].fsType = 2
    font.save(path)
    assert typefaces.legible(paper, "中") == "?"


def test_a_text_that_is_read_from_the_right_wraps_before_it_is_turned(paper, tmp_path):
    typeface(tmp_path / "fonts" / "Hebrew.ttf", "אבגד")
    text = "אבגד " * 30
    lines = pdf.lines_of(paper, 60, text)
    assert len(lines) > 1
    pdf.write(paper, 60, 5, text, "R")
    assert paper.get_y() == pytest.approx(paper.t_margin + 5 * len(lines))


def test_the_typefaces_of_this_computer_are_found_by_their_names(tmp_path, monkeypatch):
    typefaces._installed.cache_clear()
    monkeypatch.setattr(typefaces, "_folders", lambda: [tmp_path])
    (tmp_path / "deep").mkdir()
    for name in ("DejaVuSans.ttf", "msyh.ttc", "Unknown.ttf"):
        (tmp_path / "deep" / name).touch()
    assert [path.name for path in typefaces._installed()] == ["msyh.ttc", "DejaVuSans.ttf"]
    typefaces._installed.cache_clear()
