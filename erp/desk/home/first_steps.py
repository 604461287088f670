"""The first steps of a new office. A step is done by the work itself; no one ticks it."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated, Any, ClassVar, Literal, get_args

from msgspec import Meta

from erp.kernel import caller, clock
from erp.kernel.errors import Complaint
from erp.kernel.language import says
from erp.store import control, events, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.endpoint import endpoint
from erp.web.schema import Body, View

Step = Literal[
    "address",
    "taxNumber",
    "iban",
    "logo",
    "openingBalances",
    "bankFile",
    "firstInvoice",
    "colleague",
    "backupElsewhere",
]

HREFS: dict[Step, str] = {
    "address": "/settings/company?field=address.line1",
    "taxNumber": "/settings/company?field=taxNumber",
    "iban": "/settings/paper?field=iban",
    "logo": "/settings/paper?field=file",
    "openingBalances": "/import/books/opening?field=date",
    "bankFile": "/bank?key=n",
    "firstInvoice": "/invoices/new",
    "colleague": "/settings/members?key=n",
    "backupElsewhere": "/server/backups?key=n",
}
"""The page on which each step is done, with the field or the key of the action that it needs."""

COPY_IS_FRESH = timedelta(days=7)


class FirstStepsChange(Body):
    """A step to skip or to take up again, or the whole list to put away."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"key": "logo", "isSkipped": True}

    key: Step | None = None
    is_skipped: (
        Annotated[bool, Meta(description="Whether the step named by `key` is skipped; true when absent.")] | None
    ) = None
    is_hidden: Annotated[bool, Meta(description="Whether the list is put away; as it is when absent.")] | None = None

    def check(self) -> Iterator[Complaint]:
        if self.is_skipped is not None and self.key is None:
            yield Complaint("key", "required", says("Name the step."))


class FirstStepView(View):
    """A step, and the page on which it is done."""

    key: Step
    is_done: bool
    is_skipped: bool
    href: str


class FirstStepsView(View):
    """The first steps of the office."""

    done: int
    total: int
    is_hidden: bool
    items: list[FirstStepView]


def shown() -> FirstStepsView | None:
    """The steps; None for those who may not take them."""
    return _view() if caller.may("workspace.write") else None


def _view() -> FirstStepsView:
    done, kept = _done(), _kept()
    items = [
        FirstStepView(key=key, is_done=done[key], is_skipped=key in kept["skipped"], href=href)
        for key, href in HREFS.items()
    ]
    return FirstStepsView(done=sum(done.values()), total=len(items), is_hidden=kept["is_hidden"], items=items)


def _kept() -> dict[str, Any]:
    return {"skipped": [], "is_hidden": False, **(workspace_settings.current().first_steps or {})}


_EXIST = """
SELECT EXISTS (SELECT 1 FROM journal_entry WHERE kind = 'opening'), EXISTS (SELECT 1 FROM bank_statement),
    EXISTS (SELECT 1 FROM invoice WHERE kind NOT LIKE 'purchase%' AND status <> 'draft')
"""
_COLLEAGUES = """
SELECT (SELECT count(*) FROM member WHERE workspace_id = ? AND status = 'active')
    + (SELECT count(*) FROM invite WHERE workspace_id = ? AND status = 'pending' AND expires_at > ?)
"""


def _done() -> dict[Step, bool]:
    settings = workspace_settings.current()
    address = settings.address or {}
    ((opened, imported, issued),) = WORKSPACE.rows(_EXIST)
    here = caller.current().workspace_id
    ((people,),) = control.look_up(_COLLEAGUES, (here, here, clock.stamp()))
    ((copied_at,),) = control.look_up("SELECT copied_at FROM installation", ())
    return {
        "address": bool(address.get("line1") and address.get("city")),
        "taxNumber": bool(settings.tax_number or settings.vat_id),
        "iban": bool(settings.iban),
        "logo": bool(settings.logo_hash),
        "openingBalances": bool(opened),
        "bankFile": bool(imported),
        "firstInvoice": bool(issued),
        "colleague": people > 1,
        "backupElsewhere": copied_at is not None and clock.now() - clock.parse(copied_at) <= COPY_IS_FRESH,
    }


def change(body: FirstStepsChange) -> FirstStepsView:
    """Skip a step, take it up again, or put the list away."""
    before = _kept()
    skipped = {*before["skipped"]} - {body.key}
    if body.key is not None and body.is_skipped is not False:
        skipped.add(body.key)
    after = {
        "skipped": [key for key in get_args(Step) if key in skipped],
        "is_hidden": before["is_hidden"] if body.is_hidden is None else body.is_hidden,
    }
    if after != before:
        workspace_settings.current().change(first_steps=after)
        events.write("workspace.updated", "workspace", str(caller.current().workspace_id), {"changed": ["firstSteps"]})
    return _view()


class FirstSteps:
    @endpoint(permission="workspace.write")
    def on_post(self, body: FirstStepsChange) -> FirstStepsView:
        """Skip a first step of the office, take it up again, or put the list away.

        `GET /workspace/home` shows the steps. Whether a step is done follows from the data: an address, a tax number,
        a bank account, a logo, opening balances, a bank statement, an issued invoice, a second member or an open
        invite, and a verified backup elsewhere of the last 7 days.
        """
        return change(body)
