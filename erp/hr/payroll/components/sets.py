"""Component sets: pay components that come with the program, as data, for an office to start from."""

import json
from importlib.resources import files
from typing import Annotated, Any

import msgspec

from erp.hr.payroll.components import components as pay_components
from erp.hr.payroll.components.bodies import NewPayComponent
from erp.hr.payroll.models import PayComponent
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Conflict, NotFound
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.schema import Body, View, decode


class ComponentSet(Body):
    """A file of `sets`; without a currency it holds no amounts."""

    code: str
    name: str
    source: str
    components: list[NewPayComponent]
    country: str | None = None
    currency: str | None = None
    year: str | None = None


def _load() -> dict[str, ComponentSet]:
    texts = [file.read_text("utf-8") for file in files("erp.hr.payroll.components").joinpath("sets").iterdir()]
    sets = [decode(json.loads(text), ComponentSet) for text in texts]
    return {each.code: each for each in sorted(sets, key=lambda each: each.code)}


SETS = _load()
SEEDED = "generic"
"""The set that a workspace starts with."""


class OtherCurrency(Conflict):
    """The figures of this set are in {theirs}; people are paid in {ours} here."""


class ComponentSetView(View):
    """Components that come with the program: for any country, or a worked example from a published table.

    `source` names the table and its year. An example shows how a table is entered; whether its figures are the right
    ones for somebody is for the office to check.
    """

    code: str
    name: str
    country: str | None
    currency: str | None
    year: str | None
    source: str
    components: list[NewPayComponent]


class AppliedSetView(View):
    """The codes of the components that a set has added, and of those that were there already."""

    added: Annotated[list[str], msgspec.Meta(examples=[["generic-pension"]])]
    skipped: Annotated[list[str], msgspec.Meta(examples=[["generic-bonus"]])]


def seeds() -> list[dict[str, Any]]:
    """The rows of the pay components that a workspace starts with, in their order."""
    return [_columns(new, "", place) for place, new in enumerate(SETS[SEEDED].components)]


def apply(code: str) -> AppliedSetView:
    """Add those components of a set whose codes are not taken yet.

    Raises:
        NotFound: there is no such set.
        OtherCurrency: its figures are in another currency.
    """
    chosen = SETS.get(code)
    if chosen is None:
        raise NotFound
    ours = workspace_settings.current().base_currency
    if chosen.currency not in (None, ours):
        raise OtherCurrency(theirs=chosen.currency, ours=ours)
    taken = {taken for (taken,) in WORKSPACE.rows("SELECT code FROM pay_component")}
    new = [each for each in chosen.components if each.code not in taken]
    for place, each in enumerate(new, pay_components.next_position()):
        PayComponent.add(**_columns(each, ours, place))
    added = [each.code for each in new]
    if added:
        events.write("component_set.applied", "component_set", code, {"code": code, "added": added})
    return AppliedSetView(added=added, skipped=[each.code for each in chosen.components if each.code in taken])


def _columns(new: NewPayComponent, currency: str, place: int) -> dict[str, Any]:
    values = pay_components.columns(new, currency, Complaints())
    return {**values, "position": place}


class Collection:
    @endpoint(permission="payroll.read")
    def on_get(self) -> list[ComponentSetView]:
        """List the component sets that come with the program."""
        shown = ComponentSetView.__struct_fields__
        return [ComponentSetView(**{name: getattr(each, name) for name in shown}) for each in SETS.values()]


class Apply:
    @endpoint(permission="payroll.write", refuses=(NotFound, OtherCurrency))
    def on_post(self, code: str) -> AppliedSetView:
        """Add the components of a set to the workspace's own.

        Those whose code is taken are skipped, so that applying a set again changes nothing. Nobody gets any of them
        before their pay names it.
        """
        return apply(code)
