"""An office at work, and a program that knows more steps than this one."""

from collections.abc import Callable, Sequence

import pytest

from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA, Step
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
    present = WORKSPACE_SCHEMA.steps, CONTROL_SCHEMA.steps

    def know(workspace: Sequence[Step] = (), control: Sequence[Step] = ()) -> None:
        router.close_all()
        monkeypatch.setattr(WORKSPACE_SCHEMA, "steps", [*present[0], *workspace])
        monkeypatch.setattr(CONTROL_SCHEMA, "steps", [*present[1], *control])

    return know
