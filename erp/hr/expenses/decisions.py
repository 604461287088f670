"""Decisions on expense claims: approving, returning and rejecting them, and undoing that."""

from erp.hr.access import own_pay, people, undoing
from erp.hr.expenses import claims
from erp.hr.expenses.bodies import ClaimDecisions, ClaimVerdict
from erp.hr.expenses.models import ExpenseClaim
from erp.kernel import caller, clock
from erp.kernel.complaints import all_or_none
from erp.kernel.errors import Forbidden, Invalid
from erp.kernel.language import Word, says
from erp.store import events


def approve(id: str, note: str | None) -> ExpenseClaim:
    """Approve a claim, so that it can be posted.

    Raises:
        OwnPay: it is the caller's own, and someone else can decide on it.
        Forbidden: the person does not report to the caller, who may decide only on their reports.
        InvalidTransition: it is not submitted.
    """
    return _decide(id, "approved", "approved", note)


def give_back(id: str, reason: str) -> ExpenseClaim:
    """Return a claim to the person, who can change it and hand it in again. Raises as `approve`."""
    return _decide(id, "draft", "returned", reason)


def reject(id: str, reason: str) -> ExpenseClaim:
    """Reject a claim for good. Raises as `approve`."""
    return _decide(id, "rejected", "rejected", reason)


def decide_all(body: ClaimDecisions) -> list[ExpenseClaim]:
    """Decide on claims in the given order, all or none.

    Raises:
        Invalid: with a complaint for every claim that cannot be decided so.
    """
    return all_or_none(body.decisions, _decide_one, "decisions")


def _decide_one(verdict: ClaimVerdict) -> ExpenseClaim:
    if verdict.decision == "approve":
        return approve(verdict.id, verdict.note)
    if not verdict.note:
        raise Invalid.one("note", "required", says("Give the reason."))
    return (give_back if verdict.decision == "return" else reject)(verdict.id, verdict.note)


def undo(id: str) -> ExpenseClaim:
    """Undo an approval or a rejection: the claim waits for a decision again.

    Raises:
        InvalidTransition: it is neither approved nor rejected.
        Forbidden: another person decided, or too long ago, and the caller does not decide on all claims.
    """
    claim = claims.find_to_change(id)
    check_undoable(claim)
    claim.change(status="submitted", decided_by=None, decided_at=None, decision_note=None)
    claims.write_event(claim, "decision_undone")
    return claim


def check_undoable(claim: ExpenseClaim) -> None:
    """Refuse to undo a decision that the caller cannot undo. Raises as `undo`."""
    undoing.check(claim.employee_id, claim.status, claim.decided_by, claim.decided_at, "expenses.decide")


def check_decidable(claim: ExpenseClaim) -> None:
    """Refuse a decision that the caller cannot take. Raises as `approve`."""
    own_pay.refuse_own(claims.employee_of(claim), Word("decide on your own expense claim"), "expenses.decide")
    if claim.employee_id != people.own_id() and not people.may_for(claim.employee_id, "expenses.decide"):
        raise Forbidden(people.NOT_REPORTING)
    claims.refuse_unless(claim, "submitted")


def _decide(id: str, status: str, act: str, note: str | None) -> ExpenseClaim:
    claim = claims.find_to_change(id)
    check_decidable(claim)
    claim.change(
        status=status,
        decided_by=caller.current().user_id,
        decided_at=clock.stamp(),
        decision_note=note or None,
    )
    events.write(f"expense_claim.{act}", "expense_claim", claim.id, claims.event_data(claim))
    return claim
