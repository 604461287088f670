"""Days pass, and the books are locked."""

from datetime import timedelta

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.finance.machine.office import Clock, Machine


class Locks(Machine):
    @rule(days=st.sampled_from([1, 3, 8, 25]), through=st.sampled_from([0, 0, 0, 0, -60, -25, -9, -3]))
    def days_pass(self, days, through):
        """At times the books are locked through a day, or unlocked where they are locked beyond it."""
        Clock.today += timedelta(days)
        if through and self.books.is_locked(self.day(through)):
            self.ask("/periods/unlock", {"throughDate": None, "reason": "A correction"}, [])
            self.books.lock = None
        elif through:
            self.ask("/periods/lock", {"throughDate": str(self.day(through)), "reason": "Closed"}, [])
            self.books.lock = self.day(through)
