"""Every operation of the API has a screen, or a reason to have none.

The addresses that pages request are read in their scripts, since no page knows the list of operations. A hole in one
(`${…}`) stands for an id, or for a word that its module, or a module it imports or is imported by, has in quotes or as
a key: acts are named by variables. An address that begins with a hole stands on the ones that its module or an importer
names. What is only read is judged leniently: an address counts as read where a script has it.
"""

import re
from functools import cache

from erp.app import routes
from erp.web.endpoint import contract_of
from tests.web.test_frontend import beside
from tests.web.test_static import FOLDER, IMPORT, LATER, MODULES

OTHER_PAGE = "the plain page of a share link, which is no part of the frontend"
WITHOUT_SCREEN = {
    "GET /finance/datev/bookings": "for scripts: a page makes a batch, which marks its entries as sent",
    "GET /finance/datev/stacks/{id}": "the list of batches tells all of one",
    "GET /finance/depreciation-runs/{id}": "the list of runs tells all of one",
    "POST /auth/login": "for scripts: it answers a token, and pages sign in by a cookie",
    "POST /finance/invoices/pdf": "the list of invoices saves it by `download`, not by `send`",
    "POST /finance/payments/{id}/allocations": "for scripts: pages allocate open items, payments among them",
    "POST /finance/payments/{id}/allocations/{allocation_id}/release": "pages release it at its own address",
    "POST /share/accept": OTHER_PAGE,
    "POST /share/decline": OTHER_PAGE,
    "POST /share/file": OTHER_PAGE,
    "POST /share/view": OTHER_PAGE,
    "POST /tasks/batch": "for scripts: pages add tasks one by one, or import a file",
    "POST /tasks/time-logs/week": "pages write a cell when it is left",
    "POST /tasks/time-weeks/decide": "pages decide week by week, so that one refusal keeps no other week back",
    "POST /workspace/paper/preview": "the page shows the look as it is typed, by GET",
}

TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?<=[(,=:\[!&|?{};\n ])/(?![/*\s])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n])+/"""
    r"""|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`""",
    re.DOTALL,
)
NEXT = re.compile(r"[\"'`/{}]")
SIGN = re.compile(r"[\"'`()\[\]{},]")
HOLE, START = "\0", "\1"
"""A piece that stands for one segment, and one for the beginning that a caller gives."""
PREFIX = "/api/v1"
VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE")
GIVEN: dict[str, set[str]] = {}
WORD = re.compile(r"[a-z][a-z0-9-]*(/[a-z][a-z0-9-]*)*")
KEY = re.compile(r"^\s*(?:\"?([a-z][a-z-]*)\"?): |\{ (\w+): ", re.MULTILINE)
NAME = re.compile(r"(?<![\w.])([A-Za-z]\w*)")
SENDING = re.compile(r'\b(?:send\(\s*"([A-Z]+)",|change\((?=\s*\w+,))')
DEFINED = re.compile(
    r"\b(?:const|let) (\w+) = (?:(?:\([^()]*\)|\w+) =>\s*)?(?:address\()?\s*(?:(?=[\"`])|(\w+)\()"
    r"|\bfunction (\w+)\([^()]*\) {\s*return (?=[\"`])"
)


def test_every_operation_has_a_screen_or_a_reason_to_have_none():
    every = {f"{verb} {path}" for verb in VERBS for path in operations(verb)}
    assert every - requested() == set(WITHOUT_SCREEN)


def test_the_finder_tells_an_address_that_is_put_together_from_one_that_is_not_there():
    assert {shape for _, shape in sent("office/server/backups.js")} >= {
        f"/system/backups/{HOLE}/verify",
        "/system/backups",
    }
    assert ("POST", f"{START}/{HOLE}/{HOLE}") in sent("ui/records.js")
    assert "/finance/products" in given("ui/records.js")
    assert sorted(fitting("POST", f"/finance/products/{HOLE}/{HOLE}")) == [
        ("/finance/products/{id}/archive", ("{id}", "archive")),
        ("/finance/products/{id}/unarchive", ("{id}", "unarchive")),
    ]
    assert "/finance/bank/accounts/{id}/format" not in {path for _, path in requested_in("finance/products/list.js")}


@cache
def text_of(name):
    return (FOLDER / name).read_text("utf-8")


@cache
def strings_of(name):
    """The texts in a script, by their place: (text, expressions in its holes, end)."""
    found: dict[int, tuple[str, list[str], int]] = {}
    scan(text_of(name), 0, found)
    return found


def scan(script, at, found, *, within=False):
    """Read strings from a place on; within a hole, up to its brace, and answer the place after that."""
    depth = 0
    while sign := NEXT.search(script, at):
        at = sign.start()
        if sign[0] in "{}":
            depth += 1 if sign[0] == "{" else -1
            if within and depth < 0:
                return at + 1
        token = TOKEN.match(script, at)
        if not token:
            at += 1
        elif token[0] == "`":
            at = template(script, at, found)
        else:
            at = token.end()
            if token[0][0] in "\"'":
                found[token.start()] = (token[0][1:-1], [], at)
    return len(script)


def template(script, start, found):
    text, holes, at = "", [], start + 1
    while script[at] != "`":
        if script.startswith("${", at):
            end = scan(script, at + 2, found, within=True)
            holes.append(script[at + 2 : end - 1])
            text, at = text + HOLE, end
        else:
            text, at = text + script[at], at + 1
    found[start] = (text, holes, at + 1)
    return at + 1


def argument(name, at, *, only=True):
    """The end of the argument, or of all arguments, that begin at a place."""
    script, strings, depth = text_of(name), strings_of(name), 0
    while sign := SIGN.search(script, at):
        at = sign.end()
        if sign.start() in strings:
            at = strings[sign.start()][2]
        elif sign[0] in "([{":
            depth += 1
        elif sign[0] in ")]}":
            depth -= 1
        if depth < 0 or (only and not depth and sign[0] == ","):
            return sign.start()
    return len(script)


@cache
def origins(name):
    """Where each imported name of a module is from."""
    return {
        word.strip().split(" as ")[-1]: beside(name, path)
        for words, path in IMPORT.findall(text_of(name))
        for word in words.split(",")
    } | {word: beside(name, path) for path, word in LATER.findall(text_of(name))}


@cache
def importers():
    found: dict[str, list[str]] = {name: [] for name in MODULES}
    for name in MODULES:
        for other in set(origins(name).values()):
            found[other].append(name)
    return found


@cache
def definitions(name):
    """The places of the texts, and the functions called, by the name that is defined by them."""
    found: dict[str, list[int | str]] = {}
    for match in DEFINED.finditer(text_of(name)):
        found.setdefault(match[1] or match[3], []).append(match[2] or match.end())
    return found


@cache
def defined(name, word):
    """The addresses that a name of a module stands for: none if it is given from elsewhere."""
    found: set[str] = set()
    for one in definitions(name).get(word, ()):
        if isinstance(one, int):
            found |= shapes(name, one) if one in strings_of(name) else set()
        elif one != word:
            found |= defined(name, one)
    other = origins(name).get(word)
    return found or (defined(other, word) if other else set())


def shapes(name, at):
    """The addresses that a text may be, without the query; none if it is none."""
    text, holes, _ = strings_of(name)[at]
    text = text.removeprefix(PREFIX).split("?")[0]
    if re.match(r"/[\w\0]", text):
        return {text}
    if not text.startswith((HOLE + "/", HOLE + HOLE)) and text != HOLE:
        return set()
    word = NAME.match(holes[0])
    begun = defined(name, word[1]) if word else set()
    return {start + text[1:] for start in begun or {START}}


def between(name, start, end):
    """The addresses in a part of a script: the texts, and the names that stand for some."""
    strings = strings_of(name)
    places = [at for at in strings if start <= at < end]
    found = {shape for at in places for shape in shapes(name, at)}
    bare, at = "", start
    for place in sorted(places):
        bare, at = bare + text_of(name)[at:place], max(at, strings[place][2])
    return found | {one for word in NAME.findall(bare + text_of(name)[at:end]) for one in defined(name, word)}


@cache
def sent(name):
    """What a module sends: (verb, address)."""
    found, script = set(), text_of(name)
    for match in SENDING.finditer(script):
        at = match.end() if match[1] else argument(name, match.end()) + 1
        found |= {(match[1] or "PATCH", one) for one in between(name, at, argument(name, at)) or {START}}
    return found


@cache
def read(name):
    """What a module may read: every address in it, but those that it only sends to."""
    places = {match.end() for match in SENDING.finditer(text_of(name))}
    direct = {min((at for at in strings_of(name) if at >= place), default=-1) for place in places}
    return {("GET", one) for at in strings_of(name) if at not in direct for one in shapes(name, at)}


def given(name):
    """The addresses that importers give to the functions of a module, and the ones that it names itself."""
    if name in GIVEN:
        return GIVEN[name]
    found = {one for at in strings_of(name) for one in shapes(name, at)}
    GIVEN[name] = {one for one in found if START not in one}  # modules that are loaded later go in circles
    for other in importers()[name]:
        names = "|".join(word for word, place in origins(other).items() if place == name)
        calls = [match.end() for match in re.finditer(rf"\b(?:{names})\(", text_of(other))]
        told = {one for at in calls for one in between(other, at, argument(other, at, only=False))}
        if not told or any(START in one for one in told):
            beyond = given(other)
            found |= beyond if not told else {one.replace(START, start) for one in told for start in beyond}
        found |= told
    GIVEN[name] = {one for one in found if START not in one}
    return GIVEN[name]


@cache
def words(name):
    near = {name, *origins(name).values(), *importers()[name]}
    texts = {text for one in near for text, _, _ in strings_of(one).values() if WORD.fullmatch(text)}
    return texts | {word for one in near for pair in KEY.findall(text_of(one)) for word in pair if word}


def requested():
    """The operations that some page requests."""
    return {f"{verb} {path}" for name in MODULES for verb, path in requested_in(name)}


def requested_in(name):
    asked = sent(name) | read(name)
    told = [(verb, shape, START in shape and start) for verb, shape in asked for start in starts(name, shape)]
    for verb, shape, start in told:
        for path, filled in fitting(verb, shape.replace(START, start or "")):
            if all(one.startswith("{") or not one or one in words(name) for one in filled):
                yield verb, path


def starts(name, shape):
    return given(name) if START in shape else {""}


@cache
def fitting(verb, shape):
    """The operations that an address may be, with the segments that stand in its holes."""
    made = re.sub(f"/{HOLE}$", "/(.+)", re.escape(shape)).replace(f"/{HOLE}", "/([^/]+)").replace(HOLE, "([^/]*)")
    found = [(path, re.fullmatch(made, path)) for path in operations(verb)]
    return [(path, match.groups()) for path, match in found if match]


@cache
def operations(verb):
    return {
        path.removeprefix(PREFIX)
        for path, resource in routes().items()
        if path.startswith(PREFIX) and contract_of(resource, verb)
    }
