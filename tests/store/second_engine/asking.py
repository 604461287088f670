"""The requests: every documented GET, with every parameter that it takes, about records that earlier answers named."""

import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from typing import Any
from urllib.parse import urlencode

PREFIX = "/api/v1"
TEXTS = ("muller", "a b", "12.50")
"""Texts to look for."""

AS_FILES = ("xlsx", "zip")
"""Forms of an answer whose bytes are not the same twice; `csv` has the same rows."""

Ask = Callable[[str], Any]
"""Asks a path for its answer, and returns the data if it is JSON."""


class Asking:
    """Asks all that a document of the API describes, in an order in which answers name the records of later ones."""

    def __init__(self, document: dict[str, Any], ask: Ask, day: str, last: Collection[str] = ()) -> None:
        """Make ready to ask.

        Args:
            last: paths that are asked after all others.
        """
        self._paths = {path: verbs["get"] for path, verbs in document["paths"].items() if "get" in verbs}
        self._last = {path: self._paths.pop(path) for path in last}
        self._ask, self._day = ask, day
        self._listed: defaultdict[str, list[str]] = defaultdict(list)
        self._named: defaultdict[str, list[Any]] = defaultdict(list)
        self._asked: set[str] = set()
        self.urls: dict[str, list[str]] = {path: [] for path in (*self._paths, *self._last)}
        """What was asked, by path; nothing about records that no answer has named."""

    def all(self) -> None:
        """Ask twice over, as the first round learns ids that its beginning lacked."""
        for _ in range(2):
            for path, operation in self._paths.items():
                places = list(self._places(path))
                for place in places:
                    first, *others = self._queries(operation)
                    for query in (first, *(others if place == places[0] else ())):
                        self._learn(path, place + query)
        for path, operation in self._last.items():
            self._learn(path, path + next(self._queries(operation)))

    def _places(self, path: str) -> Iterator[str]:
        """The path for some of the records that it can be about."""
        if "{" not in path:
            yield path
            return
        before, _, rest = path.partition("{")
        name, _, after = rest.partition("}")
        values = self._listed[before.rstrip("/")] or self._listed[_parent(before)] or self._named[name]
        for value in values[:2]:
            yield from self._places(f"{before}{value}{after}")

    def _queries(self, operation: dict[str, Any]) -> Iterator[str]:
        """The query without parameters, and with each value of each of them beside those that are required."""
        parameters = [each for each in operation.get("parameters", []) if each.get("in") == "query"]
        samples = {each["name"]: self._samples(each["name"], each["schema"]) for each in parameters}
        required = {each["name"]: samples[each["name"]][0] for each in parameters if each.get("required")}
        yield _query(required)
        for name, values in samples.items():
            for value in values[:1] if name.startswith("not.") else values:
                yield _query({**required, name: value})

    def _samples(self, name: str, schema: dict[str, Any]) -> list[Any]:
        """Values of a parameter."""
        if name == "cursor":
            return []
        if (kind := schema.get("type")) == "array":
            return self._samples(name, schema["items"])
        if "enum" in schema:
            return [each for each in schema["enum"] if each not in AS_FILES]
        if kind == "boolean":
            return ["true", "false"]
        if schema.get("format") == "date-time":
            return [f"{self._day}T12:00:00Z"]
        if schema.get("format") == "date":
            return [self._day]
        if kind == "integer":
            return [min(2026, schema.get("maximum", 2026))]
        return list(TEXTS) if name == "q" else self._named[name.removeprefix("not.")][:1] or [TEXTS[0]]

    def _learn(self, path: str, url: str) -> None:
        """Ask, and note the ids in the answer; the next page of a list is asked as well."""
        if url in self._asked:
            return
        self._asked.add(url)
        self.urls[path].append(url)
        answer = self._ask(url)
        self._note(answer)
        data = answer.get("data") if isinstance(answer, dict) else None
        for row in data if isinstance(data, list) else ():
            if isinstance(row, dict) and "id" in row:
                _keep(self._listed[path], row["id"])
        if isinstance(answer, dict) and (cursor := (answer.get("page") or {}).get("nextCursor")):
            self._ask(f"{url}{'&' if '?' in url else '?'}{urlencode({'cursor': cursor})}")

    def _note(self, node: Any) -> None:
        if isinstance(node, list):
            for part in node[:20]:
                self._note(part)
        elif isinstance(node, dict):
            for name, value in node.items():
                if isinstance(value, str | int) and not isinstance(value, bool) and name != "id":
                    _keep(self._named[name], value)
                else:
                    self._note(value)


def _parent(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0]


def _query(values: dict[str, Any]) -> str:
    return f"?{urlencode(values)}" if values else ""


def _keep(values: list[Any], value: Any) -> None:
    if len(values) < 3 and value not in values:
        values.append(value)


def as_json(content: bytes) -> Any:
    """The answer as JSON, or as it is; of an archive its files."""
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {name: as_json(archive.read(name)) for name in archive.namelist()}
    try:
        return json.loads(content)
    except ValueError:
        return content.decode("latin1")
