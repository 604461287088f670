"""The README and the pages of documentation, as their tests read them."""

import re

from tests.paths import ROOT

FOLDER = ROOT / "erp" / "docs"
README = ROOT / "README.md"
PAGES = sorted(FOLDER.glob("*.md"))
USING = sorted(FOLDER.glob("using/**/*.md"))


def page(name: str) -> str:
    """The text of a page of documentation."""
    return (FOLDER / f"{name}.md").read_text("utf-8")


def blocks(text: str, name: str, language: str = "sh") -> list[str]:
    """The commands under the comments of that name."""
    return re.findall(rf"^<!-- {name} -->\n```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
