"""Pay templates: adding their components to an office."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from erp.hr.payroll.components import components, outdated
from erp.hr.payroll.components.bodies import NewPayComponent
from erp.hr.payroll.components.outdated import PayTemplateAcknowledgement, PayTemplateCheckView
from erp.hr.payroll.components.templates import SEEDED, TEMPLATES, PayTemplate
from erp.hr.payroll.models import PayComponent
from erp.kernel.complaints import Complaints
from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.store import events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.schema import View, show


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
    valid_from: str | None
    valid_to: str | None
    leaves_out: Annotated[list[str], msgspec.Meta(description="Components for the office to add, if they apply.")]
    acknowledged_years: Annotated[
        list[int], msgspec.Meta(description="Years of pay for which its figures were checked.")
    ]
    source: str
    components: list[NewPayComponent]

    @classmethod
    def of(cls, template: PayTemplate, years: Sequence[int]) -> "PayTemplateView":
        days = {name: (day := getattr(template, name)) and day.isoformat() for name in ("valid_from", "valid_to")}
        return show(cls, template, **days, acknowledged_years=list(years))


class AppliedPayTemplate(View):
    """The codes of the components that a pay template has added, and of existing ones.

    `warning` tells if its figures are not for pay of today, `leavesOut` names components for the office to add if they
    apply.
    """

    added: Annotated[list[str], msgspec.Meta(examples=[["generic-pension"]])]
    skipped: Annotated[list[str], msgspec.Meta(examples=[["generic-bonus"]])]
    leaves_out: list[str]
    warning: str | None


def seeds() -> list[dict[str, Any]]:
    """The rows of the pay components of a new workspace, in order."""
    template = TEMPLATES[SEEDED]
    return [_columns(template, new, position) for position, new in enumerate(template.components)]


def apply(code: str) -> tuple[list[str], list[str]]:
    """Add the components of a pay template whose codes are not taken.

    Returns:
        The codes that were added, and those that were skipped.

    Raises:
        NotFound: there is no such pay template.
    """
    template = TEMPLATES.get(code)
    if template is None:
        raise NotFound(says("There is no such pay template."))
    taken = {taken for (taken,) in WORKSPACE.rows("SELECT code FROM pay_component")}
    new_components = [new for new in template.components if new.code not in taken]
    for position, new in enumerate(new_components, components.next_position()):
        PayComponent.add(**_columns(template, new, position))
    added = [new.code for new in new_components]
    if added:
        events.write("component_set.applied", "component_set", code, {"code": code, "added": added})
    return added, [component.code for component in template.components if component.code in taken]


def _columns(template: PayTemplate, new: NewPayComponent, position: int) -> dict[str, Any]:
    """The row of a component; one whose amounts are in another currency than the base currency is for pay in it."""
    ours = workspace_settings.current().base_currency if template.currency else None
    currency = None if template.currency == ours else template.currency
    values = components.columns(new, template.currency or "", Complaints())
    return {**values, "currency": currency, "position": position, "template": template.code}


class Collection:
    @endpoint(permission="payroll.read")
    def on_get(self) -> list[PayTemplateView]:
        """List the pay templates that come with the program.

        Each says for which country and year it was written, and from which source.
        """
        years = outdated.acknowledged_years()
        return [PayTemplateView.of(template, years.get(code, [])) for code, template in TEMPLATES.items()]


class Apply:
    @endpoint(permission="payroll.write", refuses=(NotFound,))
    def on_post(self, code: str) -> AppliedPayTemplate:
        """Add the components of a pay template to the workspace.

        Components whose code is taken are skipped, so that applying a template again changes nothing. The new ones
        apply only to employees whose pay names them. Those with amounts in another currency are for pay in it.

        If its figures are for another time, the answer and every draft have a warning, until the figures are changed,
        the components are archived, or someone acknowledges to have checked them.
        """
        added, skipped = apply(code)
        template, today = TEMPLATES[code], workspace_settings.today()
        warning = None if outdated.is_for(template, today) else outdated.message(template, today)
        return AppliedPayTemplate(added=added, skipped=skipped, leaves_out=template.leaves_out, warning=warning)


class Acknowledge:
    @endpoint(permission="payroll.write", refuses=(NotFound,))
    def on_post(self, code: str, body: PayTemplateAcknowledgement) -> PayTemplateCheckView:
        """Acknowledge that you have checked the figures of a pay template for the pay of a year.

        Payroll runs with pay dates in that year no longer have the warning; runs of the next year do again. Idempotent:
        the first acknowledgement of a year stays.
        """
        return PayTemplateCheckView.of(outdated.acknowledge(code, body))
