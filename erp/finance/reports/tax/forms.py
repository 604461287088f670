"""The forms of VAT returns as data: boxes, and their sources. A further form is one further file."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import field

Side = Literal["sale", "purchase"]
TaxMethod = Literal["effective", "net_rate"]
"""By the tax of the documents, or by percentages of the turnover with tax, without input tax."""
Use = Literal["asset", "cost", "other"]
"""The account of what is bought: a fixed asset; cost of sales or inventory; any other."""
Rounding = Literal["half_up", "down", "up"]
"""Half a unit away from zero, always towards zero, or always away from it."""
TaxKind = Literal["owed", "of_base", "input"]
"""Tax of the documents, tax on the base of the form, or deductible tax."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The facts of a box: by side, tags of rates, percentages, kinds and uses (all if empty).

    `net_rank` numbers the net tax rates of the workspace, the highest first. `rate_id` belongs to boxes that a form
    makes of rates.
    """

    side: Side
    tags: list[str] = []
    rates: list[str] = []
    except_rates: list[str] = []
    kinds: list[str] = []
    except_kinds: list[str] = []
    uses: list[Use] = []
    net_rank: int | None = None
    rate_id: str | None = None

    def takes(self, side: str, tag: str, percent: str, kind: str, rate_id: str, use: Use, net_rank: int | None) -> bool:
        """Whether a fact counts in the box."""
        if self.net_rank is not None and net_rank != self.net_rank:
            return False
        if self.uses and use not in self.uses:
            return False
        if side != self.side or (self.rate_id is not None and rate_id != self.rate_id):
            return False
        if self.tags and tag not in self.tags:
            return False
        if percent in self.except_rates or (self.rates and percent not in self.rates):
            return False
        return kind not in self.except_kinds and (not self.kinds or kind in self.kinds)


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box of a form: a base, a tax, or both, of its sources; or the sum of other boxes.

    A base is `cut` to whole units, `whole` by `round`, `exact`, or `gross`, which includes its tax; `round` also rounds
    the tax, `of_base` or not. With `percent_of`, the tax is that percentage of the base. A sum adds the shown tax of
    other boxes, or with `base` their bases. `turns` shows amounts below zero as above. `since` is the first day on
    which the form has it.
    """

    code: str
    label: dict[str, str]
    sources: list[Source] = field(name="from", default_factory=list)
    base: Literal["cut", "whole", "exact", "gross"] | None = None
    tax: TaxKind | None = None
    percent_of: Literal["netTaxRate"] | None = None
    round: Rounding | None = None
    adds: list[str] = []
    takes: list[str] = []
    turns: bool = False
    since: date | None = None

    @property
    def is_sum(self) -> bool:
        """Whether it sums other boxes."""
        return bool(self.adds or self.takes)


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Boxes under a heading. With `by_rate`, there is one for each rate that has figures of that kind."""

    label: dict[str, str]
    boxes: list[Box]
    by_rate: Literal["sale", "owed", "input"] | None = None


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A form of VAT returns.

    `payable` is the box of the VAT payable. `cash` are the sides whose taxed rates, on cash basis, count when they are
    paid. `leaves_out` names kinds that need no box.
    """

    code: str
    name: dict[str, str]
    source: str
    cash: list[Side]
    payable: str
    sections: list[Section]
    leaves_out: list[Source]
    country: str | None = None
    method: TaxMethod = "effective"

    def on(self, day: date) -> "Form":
        sections = [
            msgspec.structs.replace(
                section, boxes=[box for box in section.boxes if box.since is None or box.since <= day]
            )
            for section in self.sections
        ]
        return msgspec.structs.replace(self, sections=sections)

    @property
    def asks_for_uses(self) -> bool:
        """Whether a box depends on the use of what is bought."""
        return any(source.uses for box in self.boxes() for source in box.sources)

    def boxes(self) -> Iterator[Box]:
        """All boxes from top to bottom."""
        for section in self.sections:
            yield from section.boxes


_DECODER = msgspec.json.Decoder(Form)
GENERIC = "generic"


def _load() -> Mapping[str, Form]:
    folder = files("erp.finance.reports").joinpath("tax_forms")
    forms = [_DECODER.decode(file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".json")]
    return {form.code: form for form in sorted(forms, key=lambda form: form.code)}


FORMS = _load()


@cache
def of_country(country: str | None, method: TaxMethod = "effective") -> str:
    """The code of the form of a country for a method; else its own for the usual one, else the generic one."""
    own = [form for form in FORMS.values() if country and form.country == country]
    fitting = [form for form in own if form.method == method]
    return next((form.code for form in [*fitting, *own]), GENERIC)


def in_language(labels: Mapping[str, str], tongue: str) -> str:
    """A label in a language, else in English."""
    return labels.get(tongue, labels["en"])


def made_of_rates(form: Form, rates: Mapping[str, Sequence[tuple[str, str]]]) -> Form:
    """The form with a box for each rate in sections `by_rate`.

    Args:
        rates: ids and names of rates by `sale`, `owed` and `input`.
    """
    sections = []
    for section in form.sections:
        if section.by_rate is not None:
            boxes = [_box_of(section.by_rate, id, name) for id, name in rates.get(section.by_rate, ())]
            section = msgspec.structs.replace(section, boxes=boxes)
        sections.append(section)
    groups = {kind: [box.code for s in sections if s.by_rate == kind for box in s.boxes] for kind in rates}
    sections = [
        msgspec.structs.replace(section, boxes=[_with_groups(box, groups) for box in section.boxes])
        for section in sections
    ]
    return msgspec.structs.replace(form, sections=sections)


def _box_of(kind: Literal["sale", "owed", "input"], id: str, name: str) -> Box:
    tax: TaxKind = "input" if kind == "input" else "owed"
    side: Side = "sale" if kind == "sale" else "purchase"
    base: Literal["exact"] | None = None if kind == "owed" else "exact"
    return Box(code=f"{kind}-{id}", label={"en": name}, sources=[Source(side, rate_id=id)], base=base, tax=tax)


def _with_groups(box: Box, groups: Mapping[str, list[str]]) -> Box:
    """A sum with the boxes of its groups."""
    if not box.is_sum:
        return box
    adds, takes = ([code for name in names for code in groups.get(name, [name])] for names in (box.adds, box.takes))
    return msgspec.structs.replace(box, adds=adds, takes=takes)
