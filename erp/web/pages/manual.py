"""The pages of documentation at `/docs`: the Markdown of `erp/docs`, rendered when it is first asked for.

The manual, `using/`, has a page a job in every language: `using/invoice.md` in English, `using/de/invoice.md` in
German, with pictures beside them, which `packaging/pictures.py` takes.
"""

import posixpath
import re
from functools import cache
from importlib.resources import files
from itertools import pairwise
from string import Template
from typing import TYPE_CHECKING, NamedTuple

from falcon import HTTPNotFound, Request, Response

from erp.kernel.language import ENGLISH, LANGUAGES, Word, accepted, says, translated
from erp.web.pages.static import File, folder, found_once

if TYPE_CHECKING:
    from markdown_it.token import Token

PATH = "/docs"
JOBS = {
    Word("Getting started"): ("first-day", "import"),
    Word("Sales", "places"): ("invoice", "quote", "mail", "reminder"),
    Word("Purchases", "places"): ("bill", "bank"),
    Word("Books"): ("month-end", "tax-return", "year-end", "assets"),
    Word("People"): ("time", "absence", "expenses", "payroll"),
    Word("Server"): ("backup", "sharing"),
}
"""The jobs of the manual, each with a page in every language, as the index groups them."""
NAMES = ("comparison", "tour", "api", "operating", "growing", "security", "architecture", "glossary")
"""The further pages, in English alone, in the order in which the index lists them."""
TITLE = Word("Documentation")
STYLE = "manual.css"
CURRENT = ' aria-current="page"'
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
API = '<li lang="en"><a href="/api/docs">API documentation</a><br>Every endpoint, to read and to try out.</li>'
_PAGE_LINK = re.compile(r"([\w./-]+)\.md(#.*)?")
_PICTURE = re.compile(r"<p>(<img [^>]*>)</p>")


class ManualPage(NamedTuple):
    """A rendered page; title and summary, its first heading and paragraph, are HTML as well."""

    title: str
    summary: str
    html: str


class Manual:
    """The index of the documentation, its pages, and their stylesheet and pictures."""

    def on_get(self, req: Request, resp: Response, name: str = "") -> None:
        """Show a page, without a name the index in the language that the browser asks for."""
        if not name:
            resp.append_header("Vary", "Accept-Language")
        file = _file(name or accepted(req.get_header("Accept-Language")) or ENGLISH)
        if file is None:
            raise HTTPNotFound
        resp.set_header("Content-Security-Policy", POLICY)
        file.send(req, resp, "no-cache")


def name_of(job: str, language: str) -> str:
    """The name of a job's page in a language."""
    return f"using/{job}" if language == ENGLISH else f"using/{language}/{job}"


@cache
def using() -> dict[str, tuple[str, str]]:
    """Job and language of each page of the manual, by its name."""
    jobs = [job for group in JOBS.values() for job in group]
    return {name_of(job, language): (job, language) for language in LANGUAGES for job in jobs}


@found_once
def _file(name: str) -> File | None:
    """A page, or a file that pages need; its name decides."""
    if name == STYLE:
        return File.of(STYLE, (files("erp.web.pages") / STYLE).read_bytes())
    if name in LANGUAGES:
        return _whole(name, name, _index(name), _links(name, NAMES))
    if name in NAMES:
        return _whole(name, ENGLISH, _page(name), _links(ENGLISH, NAMES, name))
    if name in using():
        _, language = using()[name]
        return _whole(name, language, _page(name), _links(language, ()))
    return _picture(name)


@cache
def pictures() -> dict[str, bytes]:
    """The pictures of the manual, by name."""
    places = {name: f"{posixpath.dirname(name)}/pictures/{job}.webp" for name, (job, _) in using().items()}
    with folder("docs") as docs:
        return {place: (docs / place).read_bytes() for place in places.values() if (docs / place).is_file()}


def _picture(name: str) -> File | None:
    return File.of(name, pictures()[name]) if name in pictures() else None


@cache
def _page(name: str) -> ManualPage:
    with folder("docs") as docs:
        return rendered((docs / f"{name}.md").read_text("utf-8"), name)


def rendered(text: str, name: str = "") -> ManualPage:
    """A page of Markdown as HTML; its links to `other.md` become links to `/docs/other`, as its own name says."""
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
                inner.attrSet("href", address(str(inner.attrGet("href")), name))
            elif inner.type == "image":
                inner.attrSet("src", f"{PATH}/{_beside(name, str(inner.attrGet('src')))}")
    parts = ([_first(tokens, "heading_open")], [_first(tokens, "paragraph_open")], tokens)
    title, summary, html = (parser.renderer.render(part, parser.options, {}) for part in parts)
    return ManualPage(title, summary, _scrollable(html))


def anchor(heading: str) -> str:
    """The address of a heading inside its page, as Git hosts make it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def address(link: str, name: str = "") -> str:
    """Where a link of a page leads in the program."""
    page = _PAGE_LINK.fullmatch(link)
    return f"{PATH}/{_beside(name, page[1])}{page[2] or ''}" if page else link


def _beside(name: str, path: str) -> str:
    """The name of something from the path by which a page refers to it."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _first(tokens: "list[Token]", kind: str) -> "Token":
    """The content of the first heading or paragraph."""
    return next(content for opening, content in pairwise(tokens) if opening.type == kind)


def _scrollable(html: str) -> str:
    """Code, tables and pictures that are wider than a phone scroll in themselves, by keys too."""
    html = _PICTURE.sub(r'<div class="wide" tabindex="0">\1</div>', html).replace("<pre>", '<pre tabindex="0">')
    return html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")


def _index(language: str) -> ManualPage:
    """The list of all pages in a language: the jobs, and the pages for whom runs or extends the program."""
    title, further = translated(TITLE, language), translated(_FURTHER, language)
    parts = [f"<h1>{title}</h1>"]
    for group, jobs in JOBS.items():
        items = [_item(name_of(job, language), language) for job in jobs]
        made = [_made(language)] if "year-end" in jobs else []
        parts += [f"<h2>{translated(group, language)}</h2>", "<ul>", *items, *made, "</ul>"]
    parts += [f"<h2>{further}</h2>", "<ul>", *(_item(name, ENGLISH) for name in NAMES), API, "</ul>"]
    return ManualPage(title, "", "\n".join(parts))


def _made(language: str) -> str:
    """The document that the program itself writes for each fiscal year, where it is downloaded."""
    return (
        f'<li><a href="{YEAR_END}">{translated(_PROCESS, language)}</a><br>{translated(_ABOUT_PROCESS, language)}</li>'
    )


YEAR_END = "/close/year"
_PROCESS = says("Process description")
_ABOUT_PROCESS = says(
    "The program writes for an audit how your books are kept. Choose it in the menu “More actions” of “Year end”."
)
_FURTHER = says("Further pages, in English")
_OWN_NAMES = {"en": "English", "de": "Deutsch"}


def _item(name: str, language: str) -> str:
    page = _page(name)
    return f'<li lang="{language}">{_link(name, page.title)}<br>{page.summary}</li>'


def _links(language: str, names: tuple[str, ...], current: str = "") -> list[str]:
    """The index and some pages."""
    index = _link(language, translated(TITLE, language), is_current=not current and bool(names))
    return [index, *(_link(name, _page(name).title, is_current=name == current) for name in names)]


def _others(name: str) -> list[str]:
    """The same page in the other languages."""
    job, spoken = using().get(name, ("", name))
    others = [language for language in LANGUAGES if language != spoken and spoken in LANGUAGES]
    return [
        f'<a href="{PATH}/{name_of(job, language) if job else language}" lang="{language}" hreflang="{language}">'
        f"{_OWN_NAMES[language]}</a>"
        for language in others
    ]


def _whole(name: str, language: str, page: ManualPage, links: list[str]) -> File:
    template = (files("erp.web.pages") / "manual.html").read_text("utf-8")
    text = Template(template).substitute(
        language=language,
        label=translated(TITLE, language),
        title=page.title,
        links="\n".join([*links, *_others(name)]),
        content=page.html,
    )
    return File.of("page.html", text.encode())


def _link(name: str, title: str, *, is_current: bool = False) -> str:
    return f'<a href="{PATH}/{name}"{CURRENT if is_current else ""}>{title}</a>'
