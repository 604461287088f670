"""The pages of documentation at /docs."""

import gc
import re
import tracemalloc

import pytest

from erp.selftest.office import named_in
from erp.web.pages import manual, static
from tests.conftest import HOST

ENGLISH = [name for name, (_, spoken) in manual.using().items() if spoken == "en"]
GERMAN = [name for name, (_, spoken) in manual.using().items() if spoken == "de"]
PATHS = [manual.PATH, *(f"{manual.PATH}/{name}" for name in ("en", "de", "using/invoice", "using/de/invoice", "tour"))]


def get(installation, path, **headers):
    return installation.client.simulate_get(path, headers=headers, **HOST)


@pytest.mark.parametrize("path", PATHS)
def test_a_page_needs_no_session_and_nothing_from_elsewhere(installation, path):
    answer = get(installation, path)
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'; style-src 'self'" in answer.headers["Content-Security-Policy"]
    assert not re.search(r"<script|<style| style=| on\w+=|=\"(https?:)?//|<!--", answer.text)
    for name in named_in(path, answer.text):
        assert get(installation, name).status_code == 200, name


@pytest.mark.parametrize(
    ("path", "asked", "language", "jobs"),
    [
        ("/docs", "en-GB", "en", ENGLISH),
        ("/docs", "de-DE,de;q=0.9,en;q=0.5", "de", GERMAN),
        ("/docs/en", "de", "en", ENGLISH),
        ("/docs/de", "en", "de", GERMAN),
    ],
)
def test_the_index_lists_every_page_in_the_language_of_the_reader(installation, path, asked, language, jobs):
    answer = get(installation, path, **{"Accept-Language": asked})
    main = answer.text.partition("<main>")[2]
    names = [*jobs, *manual.NAMES]
    assert re.findall(r'<li lang="\w+"><a href="/docs/([^"]+)">', main) == names
    assert f'<html lang="{language}">' in answer.text
    assert '<a href="/api/docs">' in main
    assert "with <code>curl</code> alone." in main
    assert ("Accept-Language" in answer.headers["Vary"]) == (path == "/docs")


def test_the_index_and_the_page_of_the_year_end_lead_to_the_process_description(installation):
    for language, year_end, name in (
        ("en", "using/year-end", "Process description"),
        ("de", "using/de/year-end", "Verfahrensdokumentation"),
    ):
        index, page = (get(installation, f"/docs/{one}").text for one in (language, year_end))
        assert f'<a href="/close/year">{name}</a>' in index.partition(f'/docs/{year_end}"')[2].partition("</ul>")[0]
        assert name in page
        assert '<a href="/close/year">' in page


def test_a_page_leads_to_the_same_page_in_the_other_language(installation):
    for name, other in zip(ENGLISH, GERMAN, strict=True):
        english, german = (get(installation, f"/docs/{page}").text for page in (name, other))
        assert f'<a href="/docs/{other}" lang="de" hreflang="de">Deutsch</a>' in english
        assert f'<a href="/docs/{name}" lang="en" hreflang="en">English</a>' in german
    assert '<a href="/docs/de" lang="de" hreflang="de">Deutsch</a>' in get(installation, "/docs/en").text
    assert "hreflang" not in get(installation, "/docs/tour").text


def test_pictures_are_sent_as_they_are_and_not_twice(installation):
    assert set(manual.pictures()) >= {"using/pictures/invoice.webp", "using/de/pictures/invoice.webp"}
    for name, content in manual.pictures().items():
        answer = get(installation, f"/docs/{name}", **{"Accept-Encoding": "gzip"})
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "image/webp")
        assert answer.content == content
        assert "Content-Encoding" not in answer.headers
        assert get(installation, f"/docs/{name}", **{"If-None-Match": answer.headers["ETag"]}).status_code == 304
    page = get(installation, "/docs/using/de/invoice")
    assert 'src="/docs/using/de/pictures/invoice.webp"' in page.text
    assert "img-src 'self' data:" in page.headers["Content-Security-Policy"]


def test_a_link_of_the_manual_stays_in_its_language_or_leads_out_of_it(installation):
    assert 'href="/docs/using/de/bank"' in get(installation, "/docs/using/de/invoice").text
    assert 'href="/docs/operating#sharing"' in get(installation, "/docs/using/de/sharing").text
    assert 'href="/docs/using/import"' in get(installation, "/docs/comparison").text


@pytest.mark.parametrize("area", ["finance", "work", "people", "office"])
def test_the_pages_of_areas_lead_to_the_index(installation, area):
    answer = get(installation, f"/docs/using/{area}")
    assert (answer.status_code, answer.headers["Location"].removeprefix("http://localhost")) == (301, "/docs")


def test_a_page_is_where_it_says_and_says_which_one_it_is(installation):
    text = get(installation, "/docs/operating").text
    assert "<title>erp: Running it</title>" in text
    assert '<a href="/docs/operating" aria-current="page">Running it</a>' in text
    assert '<h2 id="what-to-do-when-">' in text
    assert 'href="/docs/operating#sharing"' in get(installation, "/docs/security").text


def test_a_browser_that_has_a_page_is_not_sent_it_again(installation):
    etag = get(installation, "/docs/tour").headers["ETag"]
    assert get(installation, "/docs/tour", **{"If-None-Match": etag}).status_code == 304
    assert get(installation, "/docs/tour", **{"Accept-Encoding": "gzip"}).headers["Content-Encoding"] == "gzip"


@pytest.mark.parametrize(
    "path",
    [
        *("/docs/none", "/docs/using", "/docs/using/none", "/docs/using/de", "/docs/using/de/none", "/docs/tour.md"),
        *("/docs/index", "/docs/using/pictures/none.webp", "/docs/../control.db"),
    ],
)
def test_nothing_else_is_there(installation, path):
    assert get(installation, path).status_code == 404


@pytest.mark.parametrize(
    "address", ["/docs/using/none-{n}", "/static/{version}/joined/{n}.js", "/static/{version}/messages/de/{n}.json"]
)
def test_names_that_strangers_make_up_take_no_memory(installation, address):
    """Each name is longer than all that a request needs otherwise."""

    def ask(start, count=4):
        for n in range(start, start + count):
            path = address.format(n=f"{n}-" + "x" * 50_000, version=static.frontend()[0])
            assert get(installation, path).status_code == 404

    ask(0)
    gc.collect()
    tracemalloc.start()
    try:
        ask(10)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert taken < 100_000


def test_markdown_becomes_html_without_what_it_hides():
    page = manual.rendered("# A & B\n\nSee `x<y` [there](other.md#part).\n\n<!-- mark -->\n```sh\na < b\n```\n")
    assert page.title == "A &amp; B"
    assert page.summary == 'See <code>x&lt;y</code> <a href="/docs/other#part">there</a>.'
    assert page.html == (
        '<h1 id="a--b">A &amp; B</h1>\n'
        '<p>See <code>x&lt;y</code> <a href="/docs/other#part">there</a>.</p>\n'
        '<pre tabindex="0"><code class="language-sh">a &lt; b\n</code></pre>\n'
    )


def test_wide_tables_scroll_in_themselves():
    page = manual.rendered("# T\n\nT\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    assert page.html.count('<div class="wide" tabindex="0"><table>') == page.html.count("</table></div>") == 1
