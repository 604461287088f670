"""The customer's yes: which lines it covers, the amounts that are frozen with it, and the project it begins."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from erp.finance.documents.totals import Totals
from erp.finance.output.einvoice.units import code_of
from erp.finance.quotes import figures
from erp.finance.quotes.bodies import NewQuoteProject, QuoteAcceptance, QuoteProject
from erp.finance.quotes.models import Quote, QuoteAdjustment, QuoteLine
from erp.finance.quotes.quotes import check_acceptable, check_without_project, event_data, note_accepted
from erp.kernel import caller, clock, money
from erp.kernel.complaints import Complaints, said_of
from erp.kernel.errors import Invalid, Refusal
from erp.kernel.language import says
from erp.kernel.money import MICRO, divide
from erp.projects import projects
from erp.projects.bodies import NewProject
from erp.projects.models import Project
from erp.share_links.refusals import TwoAlternatives
from erp.store import events, workspace_settings
from erp.tasks import tasks
from erp.tasks.bodies import NewTask
from erp.web.scalars import NotNegativeAmount

MOST_MINUTES = 1_000_000_000
"""The largest budget of a project."""


class QuoteExpired(Refusal):
    """{number} was valid until {day}. Confirm the acceptance, or change the last day of validity."""


class ByLink(NamedTuple):
    """A yes by a share link: the customer's note, and the SHA-256 of the PDF that they could read."""

    note: str | None
    paper_sha256: str


def accept(id: str, body: QuoteAcceptance, link: ByLink | None = None) -> Quote:
    """Accept a quote: the chosen options come in, and the amounts are computed again and frozen.

    Raises:
        InvalidTransition: it is not out.
        QuoteExpired: its last day has passed, and `force` is not set.
        TwoAlternatives: two chosen lines replace the same one.
        Invalid: with a complaint for every field that is wrong.
        Forbidden: it begins a project, or names one, which the caller may not.
    """
    quote = Quote.find_to_change(id)
    if (body.project is not None or body.project_id is not None) and not caller.may_change("projects.write"):
        raise caller.refusal("projects.write")
    _check(quote, body)
    check_acceptable(quote)
    if workspace_settings.today() > quote.valid_until and not body.force:
        raise QuoteExpired(number=quote.number, day=quote.valid_until)
    accepted = accepted_lines(quote.lines, body.chosen_line_ids)
    adjustments = quote.adjustments
    totals = figures.of_chosen(quote, accepted, adjustments)
    for line, result in zip(accepted, totals.lines, strict=True):
        note_accepted(QuoteLine, line.id, {"accepted_net": result.net_after_discount, "accepted_tax": result.tax})
    for row, part in zip(adjustments, totals.adjustments, strict=True):
        note_accepted(QuoteAdjustment, row.id, {"accepted_amount": part.amount, "accepted_tax": part.tax})
    via = "office" if link is None else "link"
    quote.change(
        status="accepted",
        accepted_at=clock.stamp(),
        accepted_on=body.on or workspace_settings.today(),
        accepted_by=body.by,
        accepted_via=via,
        accepted_note=link and link.note,
        accepted_paper_sha256=link and link.paper_sha256,
        accepted_net=totals.net_total,
        accepted_tax=totals.tax_total,
        accepted_total=totals.total,
        reference=quote.reference if body.reference is None else body.reference,
        project_id=_project_id(quote, body, accepted, totals.net_total),
    )
    data = {"acceptedTotal": money.text(totals.total, quote.currency), "via": via, "projectId": quote.project_id}
    data |= {} if link is None else {"paperSha256": link.paper_sha256}
    events.write("quote.accepted", "quote", id, event_data(quote) | data)
    return quote


def give_project(id: str, body: QuoteProject) -> Quote:
    """Begin the project of a quote that was accepted without one, such as by its share link; or name it.

    Raises:
        InvalidTransition: it is not accepted, or has a project.
        Invalid: with a complaint for every field that is wrong.
        Forbidden: the caller may not change projects.
    """
    quote = Quote.find_to_change(id)
    if not caller.may_change("projects.write"):
        raise caller.refusal("projects.write")
    named = None if body.project_id is None else projects.refer(body.project_id, "projectId", takes="tasks")
    check_without_project(quote)
    lines = accepted_lines(quote.lines, chosen_ids(quote.lines))
    project = named or _begin(quote, body.project or NewQuoteProject(), lines, int(quote.accepted_net or 0))
    project_id = str(project.id)
    quote.change(project_id=project_id)
    data = event_data(quote) | {"changed": ["projectId"], "projectId": project_id}
    events.write("quote.updated", "quote", id, data)
    return quote


def _check(quote: Quote, body: QuoteAcceptance) -> None:
    """Refuse a day that lies ahead or before the quote, and lines that cannot be chosen."""
    complaints, today = Complaints(), workspace_settings.today()
    if body.on is not None and body.on > today:
        complaints.add("on", "in_future", says("Must not be after today, {today}.", today=today))
    if body.on is not None and body.on < quote.issue_date:
        message = says("Must not be before the issue date, {issue_date}.", issue_date=quote.issue_date)
        complaints.add("on", "too_early", message)
    _check_known(quote.lines, body.chosen_line_ids, complaints)
    complaints.refuse()
    if body.project_id is not None:
        projects.refer(body.project_id, "projectId", takes="tasks")
    _check_alternatives(quote.lines, body.chosen_line_ids)


def _check_known(lines: Sequence[QuoteLine], chosen: Sequence[str], complaints: Complaints) -> None:
    options = {line.id for line in lines if line.option != "included"}
    for i, line_id in enumerate(chosen):
        if line_id not in options:
            message = says("Must be the id of an optional or alternative line of this quote.")
            complaints.add(f"chosenLineIds[{i}]", "unknown_reference", message)


def _check_alternatives(lines: Sequence[QuoteLine], chosen: Sequence[str]) -> None:
    replaced = [line.alternative_to for line in lines if line.id in chosen and line.alternative_to is not None]
    if len({*replaced}) < len(replaced):
        raise TwoAlternatives(field="chosenLineIds")


def totals_with(quote: Quote, chosen: Sequence[str]) -> Totals:
    """The totals that the quote would have with these options.

    Raises:
        Invalid, TwoAlternatives: they cannot be chosen, or not together.
    """
    complaints, lines = Complaints(), quote.lines
    _check_known(lines, chosen, complaints)
    complaints.refuse()
    _check_alternatives(lines, chosen)
    return figures.of_chosen(quote, accepted_lines(lines, chosen), quote.adjustments)


def accepted_lines(lines: Sequence[QuoteLine], chosen: Sequence[str]) -> list[QuoteLine]:
    """The lines that a yes covers, an alternative in the place of its line."""
    instead = {line.alternative_to: line for line in lines if line.option == "alternative" and line.id in chosen}
    within = [line for line in lines if line.option == "included" or (line.option == "optional" and line.id in chosen)]
    return [instead.get(line.position + 1, line) if line.option == "included" else line for line in within]


def _project_id(quote: Quote, body: QuoteAcceptance, lines: Sequence[QuoteLine], net: int) -> str | None:
    if body.project is None:
        return body.project_id or quote.project_id
    return str(_begin(quote, body.project, lines, net).id)


def _begin(quote: Quote, new: NewQuoteProject, lines: Sequence[QuoteLine], net: int) -> Project:
    """A project at a fixed price with the budget of the accepted lines; no amounts in another currency."""
    name = new.name or quote.subject
    if name is None:
        raise Invalid.one("project.name", "required", says("The quote has no subject. Enter a name for the project."))
    is_base = quote.currency == workspace_settings.current().base_currency and net >= 0
    price = NotNegativeAmount(money.text(net, quote.currency)) if is_base else None
    body = NewProject(
        name=name,
        code=new.code,
        customer_id=quote.contact_id,
        billing="fixed",
        fixed_price=price,
        budget_amount=price,
        budget_minutes=budget_minutes(lines),
    )
    try:
        project = projects.add(body)
    except Invalid as invalid:
        raise Invalid(said_of(invalid, "project", "project.")) from None
    for line in lines if new.tasks else ():
        minutes = _minutes(line)
        title = line.description.partition("\n")[0][:200]
        tasks.add(NewTask(title=title, project_id=project.id, estimate_minutes=minutes, hourly_rate=UNSET))
    return project


def budget_minutes(lines: Sequence[QuoteLine]) -> int | None:
    """The minutes of the lines that count hours or days; None if no line does."""
    known = [minutes for line in lines if (minutes := _minutes(line)) is not None]
    return min(sum(known), MOST_MINUTES) if known else None


def _minutes(line: QuoteLine) -> int | None:
    per_unit: Mapping[str, int] = {"HUR": 60, "DAY": workspace_settings.current().minutes_per_day, "MIN": 1}
    factor = per_unit.get(code_of(line.unit))
    if factor is None or line.quantity < 0:
        return None
    return min(divide(line.quantity * factor, MICRO), MOST_MINUTES)


def chosen_ids(lines: Sequence[QuoteLine]) -> list[str]:
    """The options that the customer has chosen."""
    return [line.id for line in lines if line.option != "included" and line.accepted_net is not None]
