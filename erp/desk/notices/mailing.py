"""Notices by mail: soon after they were written, or once a day at a time of the reader's own.

A thread of the server looks every half minute at workspaces in which someone wants that, and whose mail is set up.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time
from typing import NamedTuple
from zoneinfo import ZoneInfo

from erp.desk.notices import notices, views
from erp.desk.notices.models import Notice, NoticeMail, NoticeSchedule
from erp.finance.output.paper.wording import Wording
from erp.kernel import caller, clock, config
from erp.kernel.caller import Caller
from erp.kernel.language import spoken, translated
from erp.mail import messages, sending, settings
from erp.mail.bodies import Send
from erp.mail.sending import Letter
from erp.store import control, sql, workspace_settings
from erp.store.hourly import Hourly
from erp.store.router import CONTROL, WORKSPACE
from erp.web.hosts import link_base

WANTED: set[str] = set()
"""The workspaces in which someone wants notices by mail, as far as this process knows."""


class Post(Hourly):
    """Queues the mails that are due: often where someone wants them, each hour in all workspaces."""

    name = "mails of notices"
    first_look = 25
    last_wait = 2

    def look(self) -> None:
        super().look()
        with config.use(self._settings):
            for workspace_id in sorted(WANTED):
                if not self.is_over():
                    self._try_in(workspace_id)

    def work_in(self, workspace_id: str) -> None:
        """Queue what is due in a workspace."""
        with caller.acting(_itself(workspace_id)), control.open_workspace(workspace_id, write=False):
            is_wanted = NoticeMail.select().exists() and settings.find() is not None
            is_due = is_wanted and bool(_due())
        (WANTED.add if is_wanted else WANTED.discard)(workspace_id)
        if is_due:
            with caller.acting(_itself(workspace_id)), control.open_workspace(workspace_id, write=True):
                for reader, day in _due():
                    _queue(reader, day)


def _itself(workspace_id: str) -> Caller:
    return Caller(user_id="", name="Notices", email="", workspace_id=workspace_id)


class _Reader(NamedTuple):
    who: Caller
    now: list[str]
    daily: list[str]
    schedule: NoticeSchedule | None


_READERS = f"""
SELECT u.id, u.name, u.email, u.locale, u.time_zone, u.is_instance_admin, m.role
FROM member AS m JOIN "user" AS u ON u.id = m.user_id
WHERE m.workspace_id = ? AND {control.MAY_ENTER} AND u.status = 'active'
"""


def _readers() -> Iterable[_Reader]:
    """The members who want notices by mail, with the kinds."""
    wanted: dict[str, dict[str, list[str]]] = {}
    for user_id, kind, mail in WORKSPACE.rows("SELECT user_id, kind, mail FROM notice_mail ORDER BY user_id, kind"):
        wanted.setdefault(user_id, {"now": [], "daily": []})[mail].append(kind)
    workspace_id = str(caller.current().workspace_id)
    with control.read():
        rows = CONTROL.rows(_READERS, (workspace_id, clock.stamp()))
    for id, name, email, locale, zone, is_admin, role in rows:
        if id in wanted and settings.is_sendable(email):
            who = Caller(
                user_id=id,
                name=name,
                email=email,
                locale=locale,
                time_zone=zone,
                is_instance_admin=bool(is_admin),
                workspace_id=workspace_id,
                role=role,
            )
            yield _Reader(who, wanted[id]["now"], wanted[id]["daily"], NoticeSchedule.find_by(user_id=id))


def _due() -> list[tuple[_Reader, date | None]]:
    """The readers for whom something is due, with the day of a daily mail."""
    due: list[tuple[_Reader, date | None]] = []
    for reader in _readers():
        if reader.now and _unmailed(reader, reader.now):
            due.append((reader, None))
        day = _today_if_time(reader)
        if day is not None:
            due.append((reader, day))
    return due


def _today_if_time(reader: _Reader) -> date | None:
    """The reader's day, if its mail has not been made and it is time."""
    schedule = reader.schedule
    if not reader.daily or schedule is None:
        return None
    local = clock.now().astimezone(ZoneInfo(reader.who.time_zone or workspace_settings.time_zone()))
    is_time = local.time() >= time.fromisoformat(schedule.daily_at) and _weekday(local) in schedule.days
    return local.date() if is_time and (schedule.mailed_on or "") < local.date().isoformat() else None


def _weekday(local: datetime) -> str:
    return ("mon", "tue", "wed", "thu", "fri", "sat", "sun")[local.weekday()]


def _unmailed(reader: _Reader, kinds: Sequence[str]) -> list[Notice]:
    """Unread notices of some kinds that no mail has told, and that the reader may still see."""
    with caller.acting(reader.who):
        rows = Notice.select().where(
            notices.visible(), Notice.read_at.is_null(), Notice.mailed_at.is_null(), sql.among(Notice.kind, kinds)
        )
        return list(rows.order_by(Notice.id))


_MAILED = "UPDATE notice SET mailed_at = ? WHERE id IN (SELECT value FROM json_each(?))"
_MADE = "UPDATE notice_schedule SET mailed_on = ? WHERE user_id = ?"


def _queue(reader: _Reader, day: date | None) -> None:
    """Queue a mail, and note that; a daily one without notices is not made."""
    told = _unmailed(reader, reader.now if day is None else reader.daily)
    if day is not None:
        WORKSPACE.run(_MADE, (day.isoformat(), reader.who.user_id))
    if told:
        letter = _letter(reader.who, told, day)
        messages.add(sending.draft_of(letter, Send(via="smtp")), force=True)
        WORKSPACE.run(_MAILED, (clock.stamp(), sql.array(notice.id for notice in told)))


def _letter(who: Caller, told: Sequence[Notice], day: date | None) -> Letter:
    language = spoken(who.locale) or "en"
    words = Wording(language, "EUR", workspace_settings.current().country)
    lines = [translated(view.text, language) for view in views.of_many(told)]
    today = day or clock.today(who.time_zone or workspace_settings.time_zone())
    return Letter(
        kind="notice",
        resource=("user", who.user_id, None),
        text="notice",
        language=language,
        to=[who.email],
        values={
            "customer": who.name,
            "date": words.day(today),
            "subject": "\n".join(f"– {line}" for line in lines),
            "link": link_base(config.current()),
        },
        once_key=None if day is None else f"notice {who.user_id} {day}",
    )
