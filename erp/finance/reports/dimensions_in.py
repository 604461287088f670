"""Income and expenses by dimensions.

The index of postings with dimensions finds them; the rest of the balances of months has none. So for each account, the
parts add up to the whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import of_text
from erp.finance.reports import movements, projects_in
from erp.finance.reports.period import Span
from erp.finance.reports.projects_in import NO_PROJECT
from erp.kernel.errors import UnknownReference
from erp.kernel.language import Listed, Noun, says
from erp.store.router import WORKSPACE

NO_VALUE = ""
"""Stands for postings without a value of a dimension, and without any dimension."""

DIMENSION = (
    "Only postings with one of these values: dimension and value codes as `cc:100,cc:200`, with all values below them."
    " `cc:` is for postings without a value. Postings must fit each dimension that is named."
)
"""The description of the parameter `dimension`."""

Amounts = Mapping[tuple[str, str], int]
"""By account id and dimensions as stored, or `NO_VALUE`: debit above zero."""


class Wanted(NamedTuple):
    """The values to show, by the codes of their dimensions; without any, all postings. `label` names them."""

    values: Mapping[str, frozenset[str]]
    label: str = ""

    @property
    def text(self) -> str | None:
        """The parameter that asks for them."""
        pairs = [f"{code}:{value}" for code, values in self.values.items() for value in sorted(values)]
        return ",".join(pairs) or None

    def titled(self, title: str) -> str:
        """The title of a report that shows only these values."""
        return says("{title} · {values}", title=title, values=self.label) if self.label else title

    def only(self, code: str, value: str) -> "Wanted":
        """The same, with a single value of a dimension."""
        return Wanted({**self.values, code: frozenset({value})})

    def takes(self, dimensions: str) -> bool:
        """Whether postings with these dimensions are shown."""
        codes = of_text(dimensions)
        return all(codes.get(code, NO_VALUE) in values for code, values in self.values.items())


def read(text: str | None) -> Wanted:
    """The values that a query asks for.

    Raises:
        UnknownReference: there is no such dimension or value.
    """
    values: dict[str, set[str]] = {}
    labels: dict[str, list[str]] = {}
    for pair in (text or "").split(",") if text else ():
        code, _, value = pair.strip().partition(":")
        dimension = assigning.known().get(code)
        if dimension is None:
            raise UnknownReference("dimension", Noun("dimension"))
        if value != NO_VALUE and value not in dimension.values:
            raise UnknownReference("dimension", Noun("dimension value"))
        values.setdefault(code, set()).update({value} | _below(code, value))
        labels.setdefault(dimension.name, []).append(dimension.names.get(value, says("none")))
    label = [says("{dimension}: {values}", dimension=name, values=Listed.of(own)) for name, own in labels.items()]
    return Wanted({code: frozenset(own) for code, own in values.items()}, Listed.of(label, separator="; "))


def _below(code: str, value: str) -> set[str]:
    return {below for (below,) in WORKSPACE.rows(_BELOW, (code, value))}


def values_of(code: str) -> dict[str, tuple[str, bool]]:
    """By the codes of a dimension's values, the name of each, and whether others are below it.

    Raises:
        UnknownReference: there is no such dimension.
    """
    if code not in assigning.known():
        raise UnknownReference("columns", Noun("dimension"))
    return {value: (name, bool(has_others)) for value, name, has_others in WORKSPACE.rows(_NAMES, (code,))}


def amounts(span: Span, project: str | None) -> Amounts:
    """The postings of some days, of a project, of none, or of all: for each account, the parts of its whole."""
    condition = "" if project is None else " AND p.project_id IS NOT DISTINCT FROM :project"
    named = None if project == NO_PROJECT else project
    parameters = {"first": str(span.first), "last": str(span.last), "project": named}
    rows = WORKSPACE.rows(_AMOUNTS.format(where=condition), parameters)
    whole = movements.of_spans([span]) if project is None else projects_in.amounts([(span, project)])
    parts = {(account, text): amount for account, text, amount in rows}
    return completed(parts, {id: sums[0] for id, sums in whole.items()})


def completed(parts: Amounts, whole: Mapping[str, int]) -> Amounts:
    """Parts of accounts, with what is left of each account under `NO_VALUE`."""
    rests = dict(whole)
    for (account, _), amount in parts.items():
        rests[account] = rests.get(account, 0) - amount
    return {**parts, **{(account, NO_VALUE): rest for account, rest in rests.items() if rest}}


def by_account(parts: Amounts, wanted: Wanted) -> dict[str, int]:
    """By account id, the sum of the parts that are wanted."""
    sums: dict[str, int] = {}
    for (account, text), amount in parts.items():
        if wanted.takes(text):
            sums[account] = sums.get(account, 0) + amount
    return sums


def values_in(parts: Amounts, wanted: Wanted, code: str) -> set[str]:
    """The values of a dimension among the parts that are wanted."""
    return {of_text(text).get(code, NO_VALUE) for _, text in parts if wanted.takes(text)}


def texts(wanted: Wanted) -> Sequence[str]:
    """The dimensions of postings that are wanted, as stored; `NO_VALUE` for none."""
    posted: Iterable[tuple[Any, ...]] = WORKSPACE.rows(_TEXTS)
    return [text for text in (NO_VALUE, *(text for (text,) in posted)) if wanted.takes(text)]


# The comparison keeps SQLite on the index of postings with dimensions.
_AMOUNTS = (
    "SELECT p.account_id, p.dimensions, sum(p.amount) FROM posting AS p"
    " WHERE p.dimensions > '' AND p.date BETWEEN :first AND :last{where} GROUP BY 1, 2"
)
_TEXTS = "SELECT DISTINCT dimensions FROM posting WHERE dimensions > '' ORDER BY dimensions"
_BELOW = (
    "WITH RECURSIVE below (id, code) AS ("
    "SELECT v.id, v.code FROM dimension_value AS v JOIN dimension AS d ON d.id = v.dimension_id"
    " WHERE d.code = ? AND v.code = ?"
    " UNION SELECT v.id, v.code FROM dimension_value AS v JOIN below ON v.parent_id = below.id"
    ") SELECT code FROM below"
)
_NAMES = (
    "SELECT v.code, v.name, EXISTS (SELECT 1 FROM dimension_value AS other WHERE other.parent_id = v.id)"
    " FROM dimension_value AS v JOIN dimension AS d ON d.id = v.dimension_id WHERE d.code = ? ORDER BY v.code"
)
