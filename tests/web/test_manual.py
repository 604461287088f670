"""The pages of documentation at /docs."""

import re

import pytest

from erp.selftest.office import named_in
from erp.web.pages import manual
from tests.conftest import HOST

PATHS = [manual.PATH, *(f"{manual.PATH}/{name}" for name in (*manual.USING, *manual.NAMES))]


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


def test_the_index_lists_every_page_and_the_documentation_of_the_api(installation):
    main = get(installation, manual.PATH).text.partition("<main>")[2]
    assert [path for path in PATHS[1:] if f'<a href="{path}">' in main] == PATHS[1:]
    assert '<a href="/api/docs">' in main
    assert "with <code>curl</code> alone." in main


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
    "path", ["/docs/none", "/docs/using", "/docs/using/none", "/docs/tour.md", "/docs/index", "/docs/../control.db"]
)
def test_nothing_else_is_there(installation, path):
    assert get(installation, path).status_code == 404


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
