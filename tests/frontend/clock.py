"""The time of a page, stopped: for what a page does, or no longer offers, after a while."""

from datetime import UTC, datetime, timedelta


def stop_clock(page):
    """Stop the time of a page that is not yet open: nothing there ends, or is asked for, by the clock.

    A slow machine has all the time between two steps then. Frames that the page itself waits for are not drawn either,
    but by `page.clock.run_for`.
    """
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
