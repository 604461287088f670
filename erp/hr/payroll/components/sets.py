"""Pay templates: pay components that come with the program, as data, for an office to start from."""

import json
from importlib.resources import files
from typing import Annotated, Any

import msgspec

from erp.hr.payroll.components import components
from erp.hr.payroll.components.bodies import NewPayComponent
from erp.hr.payroll.models import PayComponent
from erp.kernel.complaints import Complaints
from erp.kernel.errors import Conflict, NotFound
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.schema import Body, View, decode, show


class PayTemplate(Body):
    """A file of `sets`; a template without a currency has no amounts."""

    code: str
    name: str
    source: str
    components: list[NewPayComponent]
    country: str | None = None
    currency: str | None = None
    year: str | None = None


def _load() -> dict[str, PayTemplate]:
    texts = [file.read_text("utf-8") for file in files("erp.hr.payroll.components").joinpath("sets").iterdir()]
    templates = [decode(json.loads(text), PayTemplate) for text in texts]
    return {template.code: template for template in sorted(templates, key=lambda template: template.code)}


TEMPLATES = _load()
SEEDED = "generic"
"""The template that a workspace starts with."""


class OtherCurrency(Conflict):
    """The amounts of this pay template are in {theirs}, but people are paid in {ours} here."""


class PayTemplateView(View):
    """Components that come with the program: for any country, or a worked example from a published table.

    `source` names the table and its year. An example shows how to enter a table; the office must check whether its
    rates apply.
    """

    code: str
    name: str
    country: str | None
    currency: str | None
    year: str | None
    source: str
    components: list[NewPayComponent]


class AppliedPayTemplate(View):
    """The codes of the components that a pay template has added, and of those that already existed."""

    added: Annotated[list[str], msgspec.Meta(examples=[["generic-pension"]])]
    skipped: Annotated[list[str], msgspec.Meta(examples=[["generic-bonus"]])]


def seeds() -> list[dict[str, Any]]:
    """The rows of the pay components that a workspace starts with, in order."""
    return [_columns(new, "", position) for position, new in enumerate(TEMPLATES[SEEDED].components)]


def apply(code: str) -> tuple[list[str], list[str]]:
    """Add the components of a pay template whose codes are not taken.

    Returns:
        The codes that were added, and those that were skipped.

    Raises:
        NotFound: there is no such pay template.
        OtherCurrency: its amounts are in another currency.
    """
    template = TEMPLATES.get(code)
    if template is None:
        raise NotFound("There is no such pay template.")
    ours = workspace_settings.current().base_currency
    if template.currency not in (None, ours):
        raise OtherCurrency(theirs=template.currency, ours=ours)
    taken = {taken for (taken,) in WORKSPACE.rows("SELECT code FROM pay_component")}
    new_components = [new for new in template.components if new.code not in taken]
    for position, new in enumerate(new_components, components.next_position()):
        PayComponent.add(**_columns(new, ours, position))
    added = [new.code for new in new_components]
    if added:
        events.write("component_set.applied", "component_set", code, {"code": code, "added": added})
    return added, [component.code for component in template.components if component.code in taken]


def _columns(new: NewPayComponent, currency: str, position: int) -> dict[str, Any]:
    return {**components.columns(new, currency, Complaints()), "position": position}


class Collection:
    @endpoint(permission="payroll.read")
    def on_get(self) -> list[PayTemplateView]:
        """List the pay templates that come with the program."""
        return [show(PayTemplateView, template) for template in TEMPLATES.values()]


class Apply:
    @endpoint(permission="payroll.write", refuses=(NotFound, OtherCurrency))
    def on_post(self, code: str) -> AppliedPayTemplate:
        """Add the components of a pay template to the workspace.

        Components whose code is taken are skipped, so that applying a template again changes nothing. The new ones
        apply only to employees whose pay names them.
        """
        added, skipped = apply(code)
        return AppliedPayTemplate(added=added, skipped=skipped)
