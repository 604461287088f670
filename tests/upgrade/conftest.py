"""An office at work, and a program that knows more steps than this one."""

from collections.abc import Callable, Sequence

import pytest

from erp.migrations import Step
from erp.migrations import control as control_schema
from erp.migrations import workspace as workspace_schema
from erp.store import router
from tests.busy_offices import NOW, busy_office
from tests.conftest import Installation, Office


@pytest.fixture
def office(installation: Installation, clock_at: Callable[[str], None]) -> Office:
    clock_at(NOW)
    office = busy_office(installation)
    router.close_all()
    return office


@pytest.fixture
def newer_program(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Let the program know more schema steps than it does; called without any, it knows its own alone."""
    present = workspace_schema.STEPS, control_schema.STEPS

    def know(workspace: Sequence[Step] = (), control: Sequence[Step] = ()) -> None:
        router.close_all()
        monkeypatch.setattr(workspace_schema, "STEPS", [*present[0], *workspace])
        monkeypatch.setattr(control_schema, "STEPS", [*present[1], *control])

    return know
