"""Entering leave: requesting it and, for others, approving it at once."""

from erp.hr.leave import applications, decisions
from erp.hr.leave.applications import NewLeave
from erp.hr.leave.decisions import LeaveDecision
from erp.hr.leave.models import LeaveApplication
from erp.hr.leave.views import LeaveWarning


def enter(new: NewLeave) -> tuple[LeaveApplication, list[LeaveWarning]]:
    """Request leave and, if the request asks for it, approve it.

    Raises:
        OwnLeave: it is to approve the caller's own.
        Refusal: as `applications.request` and `decisions.approve`.
    """
    leave, warnings = applications.request(new)
    return (decisions.approve(leave.id, LeaveDecision()) if new.approve else leave), warnings
