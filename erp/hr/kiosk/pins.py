"""PINs: setting them, and checking them at a kiosk.

A PIN is short, so that a person waits after five wrong ones. They are counted in memory, before a PIN is checked: else
many requests at once could try many PINs.
"""

import time
from collections.abc import Callable
from functools import lru_cache
from math import ceil
from pathlib import Path
from threading import Lock

from erp.auth import passwords
from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.kiosk.bodies import KioskClocking, KioskPinView
from erp.hr.kiosk.models import KioskPin
from erp.kernel import caller, clock, config
from erp.kernel.errors import Busy, RateLimited, Refusal
from erp.store import control, events
from erp.store.router import WORKSPACE
from erp.web.scalars import Instant

MOST_FAILURES = 5
WAIT = 15 * 60.0
"""Seconds to wait after too many wrong PINs; after as many without one, the wrong ones are forgotten."""


class WrongPin(Refusal):
    """The PIN is wrong, or this person has none."""

    status = 403


class Attempts:
    """Wrong PINs in a row, by person."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._failed: dict[str, tuple[int, float]] = {}

    def begin(self, person: str) -> None:
        """Count an attempt as wrong until it has `succeeded`.

        Raises:
            RateLimited: too many were.
        """
        with self._lock:
            now = self._clock()
            count, last = self._failed.get(person, (0, now))
            wait = last + WAIT - now
            if wait <= 0:
                count = 0
            if count >= MOST_FAILURES:
                raise RateLimited(seconds=ceil(wait), headers={"Retry-After": str(ceil(wait))})
            self._failed[person] = count + 1, now

    def take_back(self, person: str) -> None:
        """Count an attempt no more: its PIN was not compared."""
        with self._lock:
            count, last = self._failed.get(person, (1, 0.0))
            self._failed[person] = count - 1, last

    def succeeded(self, person: str) -> None:
        """Forget the wrong PINs of a person."""
        with self._lock:
            self._failed.pop(person, None)


@lru_cache(maxsize=8)
def _attempts(data_dir: Path) -> Attempts:
    return Attempts()


def check(sent: KioskClocking) -> None:
    """Check the PIN of someone at a kiosk, before the workspace is opened for writing.

    Raises:
        WrongPin: it is another one; or no one with a PIN has this id, which takes as long.
        RateLimited: too many wrong PINs were tried of this person.
    """
    with control.reading_own():
        pin = KioskPin.find_by(employee_id=sent.employee_id)
    if pin is None:
        passwords.verify(None, sent.pin)
        raise WrongPin
    attempts = _attempts(config.current().data_dir)
    attempts.begin(pin.employee_id)
    try:
        is_right = passwords.verify(pin.pin_hash, sent.pin)
    except Busy:
        attempts.take_back(pin.employee_id)
        raise
    if not is_right:
        raise WrongPin
    attempts.succeeded(pin.employee_id)


def check_may_set(employee_id: str) -> None:
    """Refuse those who are neither the person nor may edit everyone's attendance.

    Raises:
        Forbidden: the caller is not, and may not.
    """
    if not caller.may("attendance.write") and employee_id != people.own_id():
        raise people.refusal("attendance.write")


_SET = """
INSERT INTO kiosk_pin (employee_id, pin_hash, set_at) VALUES (?, ?, ?)
ON CONFLICT (employee_id) DO UPDATE SET pin_hash = excluded.pin_hash, set_at = excluded.set_at
"""


def replace(employee_id: str, pin_hash: str) -> KioskPinView:
    """Set the PIN of an employee.

    Raises:
        Forbidden: it is not for the caller to set.
        NotFound: there is no such employee.
    """
    check_may_set(employee_id)
    employee = Employee.find(employee_id)
    values = {"employee_id": employee.id, "pin_hash": pin_hash, "set_at": clock.stamp()}
    WORKSPACE.run(_SET, tuple(values.values()))
    KioskPin.record_columns(employee.id, values)
    events.write("employee.kiosk_pin_set", "employee", employee.id, {"employeeNumber": employee.employee_number})
    return shown(employee.id)


def remove(employee_id: str) -> None:
    """Remove the PIN of an employee, if they have one.

    Raises:
        Forbidden, NotFound: as `replace`.
        VersionMismatch: the employee has changed since the caller read them.
    """
    check_may_set(employee_id)
    employee = Employee.find_to_change(employee_id)
    if KioskPin.find_by(employee_id=employee.id) is None:
        return
    WORKSPACE.run("DELETE FROM kiosk_pin WHERE employee_id = ?", (employee.id,))
    KioskPin.record_removed(employee.id)
    events.write("employee.kiosk_pin_removed", "employee", employee.id, {"employeeNumber": employee.employee_number})


def shown(employee_id: str) -> KioskPinView:
    """Whether an employee has a PIN.

    Raises:
        Forbidden: it is not for the caller to know.
        NotFound: there is no such employee.
    """
    check_may_set(employee_id)
    pin = KioskPin.find_by(employee_id=Employee.find(employee_id).id)
    return KioskPinView(set_at=None if pin is None else Instant(pin.set_at))
