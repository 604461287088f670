"""Whatever an office does, in any order, what contacts owe is equal to the books (AC-0).

Ordinary runs are few and short, and the same each time. `TRY_MACHINE=300x40` makes 300 others of 40 steps, and prints
what they came to.
"""

import os
import sys

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from erp.store import workspace_settings
from tests.conftest import IS_THOROUGH
from tests.finance.machine.deposits import Deposits
from tests.finance.machine.locks import Locks
from tests.finance.machine.office import Clock, Figures
from tests.finance.machine.offsets import Offsets
from tests.finance.machine.opening import Opening
from tests.finance.machine.revaluations import Revaluations
from tests.finance.machine.settling import Settling
from tests.finance.machine.transfers import Transfers
from tests.finance.machine.write_offs import WriteOffs

RUNS, STEPS = (int(number) for number in os.environ.get("TRY_MACHINE", "8x20" if IS_THOROUGH else "2x20").split("x"))


class BusyOffice(Settling, Deposits, Offsets, WriteOffs, Opening, Transfers, Revaluations, Locks):
    """All kinds of rules together."""

    figures = Figures()


@pytest.fixture
def moving_clock(monkeypatch):
    """The days of the office are those of `Clock`."""
    monkeypatch.setattr(workspace_settings, "today", lambda: Clock.today)


@pytest.mark.thorough
@pytest.mark.usefixtures("moving_clock")
def test_what_contacts_owe_is_equal_to_the_books_whatever_is_done(installation):
    BusyOffice.office = installation.newcomer("Olga")
    search = settings(
        max_examples=RUNS,
        stateful_step_count=STEPS,
        deadline=None,
        database=None,
        derandomize="TRY_MACHINE" not in os.environ,
        phases=[Phase.generate],  # shrinking a failure would take minutes, and its steps are few enough to read
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(BusyOffice, settings=search)
    sys.stdout.write(str(BusyOffice.figures))
