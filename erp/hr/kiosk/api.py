"""Kiosks, PINs and clocking over HTTP."""

from erp.auth import passwords
from erp.hr.attendance.clocking import AlreadyClockedIn, NotClockedIn
from erp.hr.kiosk import clocks, kiosks, pins
from erp.hr.kiosk.bodies import (
    CreatedKioskView,
    KioskClockedView,
    KioskClocking,
    KioskFilter,
    KioskPersonView,
    KioskPinView,
    KioskView,
    NewKiosk,
    NewPin,
)
from erp.hr.kiosk.pins import WrongPin
from erp.kernel import caller
from erp.kernel.errors import NotFound, RateLimited, UnknownReference
from erp.store.control import Kiosk
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import Page


class Collection:
    @endpoint(permission="attendance.write", store="control")
    def on_get(self, query: KioskFilter) -> Page[KioskView]:
        """List the kiosks of the workspace, without their tokens.

        `lastUsedAt` tells of one that no one uses any more.
        """
        own = Kiosk.select().where(Kiosk.workspace == caller.current().workspace_id)
        return page(own, query, KioskView.of, sort=query.sort)

    @endpoint(
        permission="attendance.write",
        store="control",
        status=201,
        shows_secret=True,
        session_only=True,
        refuses=(UnknownReference,),
    )
    def on_post(self, body: NewKiosk) -> CreatedKioskView:
        """Set up a kiosk: a tablet on a wall at which people clock in and out with a PIN.

        `token` is shown only once. It opens `GET /kiosk/people` and `POST /kiosk/clock`, and nothing else. Open `url`
        once on the tablet, whose browser keeps the token.
        """
        return kiosks.make(body)


class Item:
    @endpoint(permission="attendance.write", store="control")
    def on_get(self, id: str) -> KioskView:
        """Show a kiosk, without its token.

        Who has set it up, and when it was last used.
        """
        return KioskView.of(kiosks.find(id))

    @endpoint(permission="attendance.write", store="control", also_when=("archived",))
    def on_delete(self, id: str) -> None:
        """Delete a kiosk. Its token stops working at once.

        What people have clocked there stays.
        """
        kiosks.remove(id)


class OfEmployee:
    @endpoint(permission="attendance.write_own")
    def on_get(self, id: str) -> KioskPinView:
        """Show whether an employee has a PIN for the kiosk.

        For the employee, and for those who may edit everyone's attendance. No one can read the PIN itself.
        """
        return pins.shown(id)

    @endpoint(permission="attendance.write_own", prepare=lambda body, **path: passwords.hash_password(body.pin))
    def on_put(self, id: str, body: NewPin, prepared: str) -> KioskPinView:
        """Set the PIN with which an employee clocks in and out at a kiosk, in place of an earlier one.

        For the employee, and for those who may edit everyone's attendance.
        """
        return pins.replace(id, prepared)

    @endpoint(permission="attendance.write_own")
    def on_delete(self, id: str) -> None:
        """Remove the PIN of an employee, who can no longer clock in or out at a kiosk.

        For the employee, and for those who may edit everyone's attendance. It is no error if there is none.
        """
        pins.remove(id)


class People:
    @endpoint(access="kiosk")
    def on_get(self) -> list[KioskPersonView]:
        """List the people who can clock in or out at this kiosk, by name.

        With the token of a kiosk only. They are employed today, keep attendance and have a PIN, and they work at the
        kiosk's site if it has one.
        """
        return clocks.listed()


class Clock:
    @endpoint(
        access="kiosk",
        refuses=(WrongPin, RateLimited, AlreadyClockedIn, NotClockedIn, NotFound),
        prepare=lambda body: pins.check(body),
    )
    def on_post(self, body: KioskClocking, prepared: None) -> KioskClockedView:
        """Clock someone in or, if they are in, out.

        With the token of a kiosk only. After five wrong PINs of a person, that person waits for 15 minutes (429). A
        clocking that the kiosk could not send at once has its time in `at`, and an `Idempotency-Key`, so that it counts
        once however often it is sent.
        """
        return clocks.clock_at(body)
