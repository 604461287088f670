import base64
import gzip
import hashlib
import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from erp.kernel import language
from erp.web.pages import joined, static, wording
from erp.web.pages.static import INDEX, PATH
from tests.conftest import HOST

FOLDER = Path(static.__file__).parents[2] / "frontend"
NAMES = sorted(
    path.relative_to(FOLDER).as_posix()
    for path in FOLDER.rglob("*.*")
    if path.suffix != ".txt" and path.name != "deno.json"
)
SCREENS = sorted(set(re.findall(r'screen\("[^"]*", "([^"]+)"', (FOLDER / "routes.js").read_text("utf-8"))))
MODULES = [name for name in NAMES if name.endswith(".js")]
ASKED_FOR = [
    *(name.removesuffix(".js") for name in MODULES if name.startswith("help/")),
    "making",
    "office/workspace/sample",
    "office/settings/pages",
    "search_results",
]
"""Modules with words of their own that are no screens: they are loaded when someone asks for what they show."""
IMPORT = re.compile(r"""^import \{([^}]*)\} from ["']([^"']+)["'];$""", re.MULTILINE)
LATER = re.compile(r"""\(await import\(["']([^"']+)["']\)\)\.(\w+)""")
"""A module that is loaded when it is first asked for, and what is taken from it."""
EXPORT = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)


@pytest.fixture
def ask(installation):
    def ask(path, query_string="", **headers):
        return installation.client.simulate_get(path, query_string=query_string, headers=headers, **HOST)

    return ask


@pytest.fixture
def version(ask):
    found = re.search(rf'src="{PATH}/(\w+)/joined/app\.js"', ask("/").text)
    assert found
    return found[1]


class Page(HTMLParser):
    """What a page loads, and what stands inline in it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.inline: list[str] = []
        self._tag = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._tag = tag
        named = dict(attrs)
        self.loaded += [value or "" for name, value in attrs if name == "src" or (name == "href" and tag == "link")]
        self.inline += [name for name in named if name == "style" or name.startswith("on")]

    def handle_data(self, data: str) -> None:
        if self._tag in ("script", "style") and data.strip():
            self.inline.append(data)


def test_the_bare_address_shows_a_page_that_loads_only_what_is_served(ask, version):
    answer = ask("/")
    page = Page(answer.text)
    assert answer.headers["content-type"].startswith("text/html")
    assert len(page.loaded) >= 3
    for address in page.loaded:
        assert address.startswith(f"{PATH}/{version}/")
        assert ask(address).status_code == 200


def test_of_the_page_itself_only_the_early_script_is_run_by_its_checksum(ask):
    answer = ask("/")
    (script,) = Page(answer.text).inline
    assert script in (FOLDER / "early.js").read_text("utf-8")
    allowed = re.findall(r"'sha256-([^']+)'", answer.headers["content-security-policy"])
    assert allowed == [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()]


def test_the_page_knows_whether_a_session_comes_with_it(installation, ask):
    cookie = f"{installation.cookie()}=any"
    outside, inside = ask("/"), ask("/", Cookie=cookie)
    assert ["data-session" in answer.text for answer in (outside, inside)] == [False, True]
    assert ask("/", **{"If-None-Match": inside.headers["etag"]}).status_code == 200
    assert ask("/", Cookie=cookie, **{"If-None-Match": inside.headers["etag"]}).status_code == 304


def test_the_stylesheets_of_all_components_are_one_file_in_the_order_of_the_page(ask, version):
    page = (FOLDER / INDEX).read_text("utf-8")
    sheets = re.findall(r'<link rel="stylesheet" href="{static}/(styles/\w+\.css)"( media="print")?>', page)
    assert sorted(name for name, _ in sheets) == [name for name in NAMES if name.endswith(".css")]
    loaded = [address for address in Page(ask("/").text).loaded if address.endswith(".css")]
    assert loaded == [f"{PATH}/{version}/{name}" for name in ("sheet.css", "styles/print.css")]
    joined = "\n".join((FOLDER / name).read_text("utf-8") for name, media in sheets if not media)
    assert ask(loaded[0]).text == joined


def test_the_browser_may_run_only_our_own_files_and_send_forms_nowhere(ask):
    policy = ask("/").headers["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'self'"
    assert {rules[name] for name in ("form-action", "frame-ancestors", "base-uri", "object-src")} == {"'none'"}
    assert "unsafe" not in policy


KINDS = {
    "js": "text/javascript",
    "css": "text/css",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}


def test_every_file_is_served_for_good_under_the_checksum(ask, version):
    for name in [name for name in NAMES if name != INDEX]:
        answer = ask(f"{PATH}/{version}/{name}")
        assert (answer.status_code, answer.content) == (200, (FOLDER / name).read_bytes()), name
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable", name
        kind = KINDS[name.rsplit(".")[-1]]
        assert answer.headers["content-type"].startswith(kind), name
        assert answer.headers["x-content-type-options"] == "nosniff", name


def test_the_files_may_come_in_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with zipfile.ZipFile(tmp_path / "frontend.zip", "w") as archive:
        for name in [*NAMES, "icons.txt"]:
            archive.write(FOLDER / name, name)
    as_they_are = static.frontend()
    monkeypatch.setattr(static, "PACKAGE", tmp_path)
    in_archive = static.frontend.__wrapped__()
    assert in_archive == as_they_are


def test_every_icon_that_a_module_names_is_drawn(ask, version):
    answer = ask(f"{PATH}/{version}/icons.svg")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    drawn = re.findall(r'<symbol id="([^"]+)" viewBox="0 0 24 24"><', answer.text)
    assert drawn == sorted(drawn)
    text = "".join((FOLDER / name).read_text("utf-8") for name in MODULES)
    named = set(re.findall(r'(?:\bicon\(|\biconButton\(|\bicon: )"([\w-]+)"', text))
    assert len(named) > 10
    assert named <= set(drawn)
    assert [name for name in drawn if not re.search(rf'["`]{name}["`]', text)] == []


def test_the_page_itself_is_asked_for_each_time_and_sent_only_when_it_changed(ask):
    first = ask("/")
    assert first.headers["cache-control"] == "no-cache"
    again = ask("/", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_another_change_is_another_address(monkeypatch):
    before = static.frontend()[0]
    contents = static._contents
    monkeypatch.setattr(static, "_contents", lambda *of: [*contents(*of), ("pages/new.js", b"// new")])
    static.frontend.cache_clear()
    try:
        assert static.frontend()[0] != before
    finally:
        static.frontend.cache_clear()


def test_the_pages_get_their_german_messages_under_the_same_checksum(ask, version):
    answer = ask(f"{PATH}/{version}/messages/de.json")
    assert (answer.status_code, answer.json["Sign out"]) == (200, "Abmelden")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_screen_gets_the_german_of_what_it_says_beside_all_others(ask, version):
    of_all = ask(f"{PATH}/{version}/messages/de.json").json
    of_week = ask(f"{PATH}/{version}/messages/de/work/time/week.json").json
    assert of_week["Previous week"] == "Vorige Woche"
    assert not of_week.keys() & of_all.keys()


def test_all_that_the_pages_say_is_sent_with_some_screen_and_nothing_else(ask, version):
    parts = ["de", *(f"de/{module}" for module in [*SCREENS, *ASKED_FOR])]
    answers = [ask(f"{PATH}/{version}/messages/{part}.json") for part in parts]
    sent = {text for answer in answers for text in answer.json}
    marked = {
        language.key(message.text, message.context)
        for name in MODULES
        for message in wording.marked((FOLDER / name).read_text("utf-8"))
    }
    assert sent == marked


def test_another_wording_is_another_address(monkeypatch):
    before = static.frontend()[0]
    monkeypatch.setattr(language, "source", lambda spoken: b"another")
    static.frontend.cache_clear()
    try:
        assert static.frontend()[0] != before
    finally:
        static.frontend.cache_clear()


@pytest.mark.parametrize(
    "path",
    [
        *("{0}/messages/en.json", "{0}/messages/fr.json", "{0}/messages/de.po", "0000/messages/de.json"),
        *("{0}/de.json", "{0}/messages/de/none.json", "{0}/messages/de/.json", "{0}/messages/en/work/time/week.json"),
    ],
)
def test_there_are_no_messages_in_other_languages(ask, version, path):
    assert ask(f"{PATH}/{path.format(version)}").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "{0}/index.html",
        "{0}/none.js",
        "{0}/deno.json",
        "0000/app.js",
        "{0}/../app.js",
        "{0}/..%2f__init__.py",
        "{0}/pages",
        "app.js",
    ],
)
def test_nothing_else_is_served(ask, version, path):
    answer = ask(f"{PATH}/{path.format(version)}")
    assert answer.status_code == 404
    assert answer.json["success"] is False


def _exported(text):
    handed_on = re.findall(r"^export \{([^}]*)\} from", text, re.MULTILINE)
    return {*EXPORT.findall(text), *(one.strip() for names in handed_on for one in names.split(","))}


def test_modules_import_only_what_others_of_ours_export():
    for module in MODULES:
        text = (FOLDER / module).read_text("utf-8")
        text = text.replace("import(`./${file}.js`)", "")  # of the table of screens, tried below
        imports = [*IMPORT.findall(text), *((name, target) for target, name in LATER.findall(text))]
        assert len(imports) == len(re.findall(r"^import\b|\bimport\(", text, re.MULTILINE)), module
        for names, target in imports:
            assert target.startswith("."), (module, target)
            exported = _exported((FOLDER / module).parent.joinpath(target).read_text("utf-8"))
            assert {each.split(" as ")[0].strip() for each in names.strip(" \n,").split(",")} <= exported, module


def test_no_file_names_another_computer_or_makes_markup_of_text():
    for name in [name for name in NAMES if not name.endswith(".png")]:
        text = (FOLDER / name).read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|[\"'(]//", text), name
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|style\s*=", text), name


def test_only_one_module_talks_to_the_server():
    assert [name for name in MODULES if re.search(r"\bfetch\(|XMLHttpRequest", (FOLDER / name).read_text("utf-8"))] == [
        "core/api.js",
        "early.js",
    ]


def test_each_screen_of_the_table_has_its_file_and_its_address_shows_the_page(ask):
    lines = re.findall(r'screen\("([^"]+)", "([^"]+)"', (FOLDER / "routes.js").read_text("utf-8"))
    assert len(lines) > 25
    assert {f"{name}.js" for _, name in lines} <= set(MODULES)
    for path in [path.replace(":id", "0") for path, _ in lines if path.startswith("/")]:
        answer = ask(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")


def test_the_page_asks_at_once_for_the_scripts_that_its_screen_needs(ask, version):
    scripts = [name for name in Page(ask("/invoices/new").text).loaded if "/joined/" in name]
    names = ["app.js", "finance/documents/editor.js", "app.js"]  # asked for ahead, and the one that starts
    assert scripts == [f"{PATH}/{version}/joined/{name}" for name in names]
    assert {name for name in Page(ask("/").text).loaded if "/joined/" in name} == {f"{PATH}/{version}/joined/app.js"}


@pytest.mark.parametrize("screen", [*SCREENS, "work/projects/dialog"])
def test_joined_scripts_have_each_module_once_and_after_those_that_it_needs(ask, version, screen):
    path = f"{PATH}/{version}/joined"
    head = f'import {{ at, bring, M }} from "{path}/app.js";'
    texts = [ask(f"{path}/{name}.js").text for name in dict.fromkeys(("app", screen))]
    made: list[str] = []
    for line in "\n".join(texts).splitlines():
        if begins := re.match(r'M\["([^"]+)"\] \?\?= ', line):
            assert begins[1] not in made
            made.append(begins[1])
        if needs := re.match(r'(?:const \{[^}]*|)\} = M\["([^"]+)"\];$', line):
            assert needs[1] in made[:-1] or line in texts[0].rpartition("})();")[2]
        assert not re.match(r"import|export default|export \{", line) or line == head
    assert screen in made


def test_joined_scripts_leave_out_comments_and_nothing_else(ask, version):
    comment = re.compile(r"^ *//.*\n", re.MULTILINE)
    assert not comment.search(ask(f"/static/{version}/joined/app.js").text)
    for name in MODULES:
        before = comment.split((FOLDER / name).read_text("utf-8"))[:-1]
        assert not any(part.count("`") % 2 for part in before), (
            f"{name} has a text over lines that looks like a comment"
        )


def test_a_page_may_load_its_modules_one_by_one(ask, version):
    loaded = Page(ask("/invoices/new?modules=plain").text).loaded
    for name in ("app.js", "core/view.js", "finance/documents/editor.js", "ui/lines.js"):
        assert f"{PATH}/{version}/{name}" in loaded
    assert f"{PATH}/{version}/work/board/page.js" not in loaded


LINK = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("/year-end?year=2025", "/close/year?year=2025"),
        ("/datev", "/close/advisor"),
        ("/revaluations/01a%0D%0Ab", "/close/revaluation/01a%0D%0Ab"),
        ("/close/tax", "/reports/tax"),
    ],
)
def test_an_address_of_an_earlier_version_leads_to_the_present_one(ask, before, now):
    answer = ask(before.partition("?")[0], query_string=before.partition("?")[2], **LINK)
    assert (answer.status_code, answer.headers["location"]) == (301, now)


@pytest.mark.parametrize("path", ["/people/%25ZZ", "/people/%E0%A4"])
def test_a_sign_without_meaning_in_an_address_leads_nowhere(ask, path):
    page = ask(path, **LINK)
    assert page.status_code == 404
    assert "office/nowhere.js" in page.text


def test_a_file_is_sent_compressed_to_those_who_read_that(ask, version):
    path = f"{PATH}/{version}/core/view.js"
    packed = ask(path, **{"Accept-Encoding": "gzip, br"})
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "Accept-Encoding")
    assert len(packed.content) * 2 < len(ask(path).content)
    assert gzip.decompress(packed.content) == ask(path).content
    assert "content-encoding" not in ask(path).headers


@pytest.mark.parametrize("path", ["/nowhere", "/invoices/1/2/3", "/api/nowhere", "/static/old/app.js"])
def test_an_unknown_address_gives_a_browser_a_page_and_a_program_json(ask, path):
    page, answer = ask(path, **LINK), ask(path, Accept="*/*")
    assert (page.status_code, answer.status_code) == (404, 404)
    assert page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert page.headers["Content-Security-Policy"] == static.policy()
    assert page.headers["Cache-Control"] == "no-store"
    assert "office/nowhere.js" in page.text
    assert answer.json["success"] is False


def test_an_unknown_address_of_the_interface_is_json_for_a_browser_too(ask):
    assert ask("/api/v1/nowhere", **LINK).json["error"]["code"] == "no_such_endpoint"


def test_joined_modules_import_and_export_nothing_themselves():
    scripts = {name: (FOLDER / name).read_text("utf-8") for name in MODULES}
    for name in MODULES:
        _, *lines = joined.further_file(scripts, [name], "/base.js").splitlines()
        assert [line for line in lines if re.match(r"(import|export)\b", line)] == [], f"{name}: write it another way"


def test_the_icons_of_the_manifest_are_as_large_as_it_says():
    image = pytest.importorskip("PIL.Image")
    manifest = json.loads((FOLDER / "app.webmanifest").read_bytes())
    assert len(manifest["icons"]) == 3
    for each in manifest["icons"]:
        with image.open(FOLDER / each["src"]) as icon:
            assert each["sizes"] == "{}x{}".format(*icon.size), each
