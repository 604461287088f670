"""The pages of documentation at `/docs`: the Markdown of `erp/docs`, rendered when it is first asked for."""

import re
from functools import cache
from importlib.resources import files
from itertools import pairwise
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from falcon import HTTPNotFound, Request, Response

from erp.web.pages.static import File

if TYPE_CHECKING:
    from markdown_it.token import Token

PATH = "/docs"
USING = ("using/finance", "using/work", "using/people", "using/office")
"""The pages to which help leads, one for each area of the frontend."""
NAMES = ("tour", "api", "operating", "security", "architecture", "glossary")
"""The further pages, in the order in which the index lists them."""
TITLE = "Documentation"
STYLE = "manual.css"
CURRENT = ' aria-current="page"'
POLICY = (
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
API = '<li><a href="/api/docs">API documentation</a><br>Every endpoint, to read and to try out.</li>'
_PAGE_LINK = re.compile(r"(?:\.\./)?(\w+)\.md(#.*)?")


class ManualPage(NamedTuple):
    """A rendered page; title and summary, its first heading and paragraph, are HTML as well."""

    title: str
    summary: str
    html: str


class Manual:
    """The index of the documentation, its pages, and their stylesheet."""

    def on_get(self, req: Request, resp: Response, name: str = "", area: str = "") -> None:
        """Show a page, without a name the index."""
        file = _files().get(f"using/{area}" if area else name)
        if file is None:
            raise HTTPNotFound
        resp.set_header("Content-Security-Policy", POLICY)
        file.send(req, resp, "no-cache")


@cache
def _files() -> dict[str, File]:
    pages = {name: rendered((files("erp") / "docs" / f"{name}.md").read_text("utf-8")) for name in (*USING, *NAMES)}
    contents = {"": ManualPage(TITLE, "", _index(pages)), **pages}
    made = {name: File.of("page.html", _whole(name, page, pages).encode()) for name, page in contents.items()}
    return made | {STYLE: File.of(STYLE, (files("erp.web.pages") / STYLE).read_bytes())}


def rendered(text: str) -> ManualPage:
    """A page of Markdown as HTML; its links to `other.md` become links to `/docs/other`."""
    from markdown_it import MarkdownIt  # here, because few processes show the documentation

    parser = MarkdownIt("commonmark").enable("table")
    parser.add_render_rule("html_block", lambda *_: "")  # the marks by which tests find what they try
    tokens = parser.parse(text)
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", anchor(content.content))
    for token in tokens:
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrSet("href", address(str(inner.attrGet("href"))))
    parts = ([_first(tokens, "heading_open")], [_first(tokens, "paragraph_open")], tokens)
    title, summary, html = (parser.renderer.render(part, parser.options, {}) for part in parts)
    return ManualPage(title, summary, _scrollable(html))


def anchor(heading: str) -> str:
    """The address of a heading inside its page, as Git hosts make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def address(link: str) -> str:
    """Where a link leads in the program."""
    page = _PAGE_LINK.fullmatch(link)
    return f"{PATH}/{page[1]}{page[2] or ''}" if page else link


def _first(tokens: "list[Token]", kind: str) -> "Token":
    """The content of the first heading or paragraph."""
    return next(content for opening, content in pairwise(tokens) if opening.type == kind)


def _scrollable(html: str) -> str:
    """Code and tables that are wider than a phone scroll in themselves, by keys too."""
    html = html.replace("<pre>", '<pre tabindex="0">')
    return html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")


def _index(pages: dict[str, ManualPage]) -> str:
    items = [f"<li>{_link(name, page.title, is_current=False)}<br>{page.summary}</li>" for name, page in pages.items()]
    return "\n".join([f"<h1>{TITLE}</h1>", "<ul>", *items, API, "</ul>"])


def _whole(current: str, page: ManualPage, pages: dict[str, ManualPage]) -> str:
    titles = {"": TITLE, **{name: other.title for name, other in pages.items()}}
    links = (_link(name, title, is_current=name == current) for name, title in titles.items())
    template = (files("erp.web.pages") / "manual.html").read_text("utf-8")
    return Template(template).substitute(title=page.title, links="\n".join(links), content=page.html)


def _link(name: str, title: str, *, is_current: bool) -> str:
    path = f"{PATH}/{name}" if name else PATH
    return f'<a href="{path}"{CURRENT if is_current else ""}>{title}</a>'
