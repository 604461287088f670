"""Bookings from the tax advisor, such as those at year end: each becomes a manual journal entry."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from erp.finance.books.dimensions import assigning
from erp.finance.books.dimensions.codes import Dimensions
from erp.finance.closing.datev import charts, entries, reading, settings, store
from erp.finance.closing.datev.bodies import ReceivedBookings
from erp.finance.closing.datev.bookings import NO_SPLIT
from erp.finance.closing.datev.charts import Automatic
from erp.finance.closing.datev.models import DatevStack
from erp.finance.closing.datev.personal import SIDES, written
from erp.finance.closing.datev.reading import ReadBooking, ReadFile
from erp.finance.contacts import numbers
from erp.finance.journals import journals
from erp.finance.journals.bodies import NewJournalEntry, NewJournalLine
from erp.kernel import money
from erp.kernel.complaints import Complaints, said_of
from erp.kernel.errors import Complaint, Refusal
from erp.kernel.language import says
from erp.store import control, events, sql, workspace_settings
from erp.store.router import WORKSPACE
from erp.web.scalars import PositiveAmount
from erp.web.transport import sheets


class OwnStack(Refusal):
    """These entries come from here and are already posted. Choose a file from the tax advisor."""

    status = 422


class Received(NamedTuple):
    """The result of an import: the batch, unless it was only checked, the bookings, and their sum in minor units."""

    stack: DatevStack | None
    bookings: Sequence[ReadBooking]
    total: int


class _Leg(NamedTuple):
    """An amount in minor units, a debit above zero, of an account by its code."""

    code: str
    amount: int
    contact_id: str | None = None


class JudgedFile(NamedTuple):
    """A file that has been read, and the complaints about its rows."""

    read: ReadFile
    complaints: Sequence[Complaint]


def read(body: ReceivedBookings) -> JudgedFile:
    """Read the file of a request, which takes no lock.

    Raises:
        DatevNotSetUp: the settings lack the advisor's or the client's number.
        NotADatevFile: it is not a file of bookings.
        Invalid: it is too long.
    """
    with control.reading_own():
        settings.check()
        base = workspace_settings.current().base_currency
    complaints = Complaints()
    return JudgedFile(reading.read(body.file.whole(), base, complaints), complaints.items)


def receive(body: ReceivedBookings, file: JudgedFile) -> Received:
    """Post all bookings of a file, or none.

    They count as sent: no batch returns them to the tax advisor.

    Raises:
        NotADatevFile: it is of another client.
        OwnStack: it was made here.
        Invalid: with all complaints, by row of the file.
    """
    complaints, base = Complaints(), workspace_settings.current().base_currency
    complaints.items += file.complaints
    read = file.read
    _check_header(read)
    by_path = _entries(read.bookings, complaints)
    _check_new(by_path, complaints)
    posted: list[str] = []
    stack = None
    with sheets.all_or_none(complaints.items, dry_run=body.dry_run):
        for path, entry in by_path.items() if not complaints.items else ():
            try:
                posted.append(journals.post(journals.read(entry)).id)
            except Refusal as refusal:
                complaints.items += map(_in_columns, said_of(refusal, path, f"{path}."))
        if posted and not complaints.items:
            stack = _keep(posted, by_path, body)
    total = sum(abs(money.minor(booking.amount, base)) for booking in read.bookings.values())
    return Received(None if body.dry_run else stack, [*read.bookings.values()], total)


def _in_columns(complaint: Complaint) -> Complaint:
    """A complaint about the day of an entry as one about the column of the file that has it."""
    path = complaint.field.removesuffix(".date")
    return complaint if path == complaint.field else replace(complaint, field=f"{path}.Belegdatum")


def _check_header(read: ReadFile) -> None:
    own = workspace_settings.current()
    if (read.advisor, read.client) != (str(own.datev_advisor), str(own.datev_client)):
        message = says(
            "The file is for client no. {client} and consultant no. {advisor}. The DATEV settings here are different.",
            client=read.client,
            advisor=read.advisor,
        )
        raise reading.NotADatevFile(message, field="file")
    if read.is_ours:
        raise OwnStack(field="file")
    if not read.bookings:
        raise reading.NotADatevFile(says("The file has no entries."), field="file")


def _entries(bookings: Mapping[str, ReadBooking], complaints: Complaints) -> dict[str, NewJournalEntry]:
    reader = _Reader(settings.account_length(), complaints)
    return {path: reader.entry(path, booking) for path, booking in bookings.items()}


class _Reader:
    """Turns bookings of DATEV into journal entries, and complains of accounts that the books lack."""

    def __init__(self, length: int, complaints: Complaints) -> None:
        self._length, self._complaints = length, complaints
        codes = [code for (code,) in WORKSPACE.rows(store.CODES)]
        self._codes = {entries.padded(code, length): code for code in codes}
        self._contacts = {
            written(number, length): (contact, side) for (contact, side), number in numbers.assigned().items()
        }
        self._collective = {SIDES[key]: code for key, code in WORKSPACE.rows(store.COLLECTIVE)}
        self._projects = dict(WORKSPACE.rows(store.PROJECTS))
        self._automatic = entries.automatic(length)
        self._fields = assigning.of_datev()

    def entry(self, path: str, booking: ReadBooking) -> NewJournalEntry:
        """The entry of a booking; for a wrong booking, one that is never posted."""
        base = workspace_settings.current().base_currency
        amount = self._complaints.minor(abs(booking.amount), base, f"{path}.Umsatz")
        amount = amount if booking.amount > 0 else -amount
        first = self._leg(path, "Konto", booking.account, amount)
        contra = self._leg(path, "Gegenkonto", booking.contra, -amount)
        legs = self._split(path, booking.key, first, contra)
        centres = zip(("kost1", "kost2"), booking.cost_centres, strict=True)
        dimensions = dict(pair for field, value in centres for pair in self._dimension(path, field, value))
        project_id = None if "kost1" in self._fields else self._project(path, booking.cost_centres[0])
        return NewJournalEntry(
            date=booking.day,  # type: ignore[arg-type]  # a day like any other
            description=booking.text or says("Entry of the tax advisor"),
            reference=booking.number or None,
            lines=[_line(leg, project_id, dimensions, base) for leg in legs if leg.amount],
        )

    def _leg(self, path: str, column: str, account: str, amount: int) -> _Leg:
        contact_id, side = self._contacts.get(account, (None, None))
        code = self._collective.get(side) if side else self._code(account)
        if code is None:
            message = says("There is no account {code}. Create it first.", code=account[:40])
            self._complaints.add(f"{path}.{column}", "unknown_reference", message)
        return _Leg(code or "", amount, contact_id)

    def _code(self, account: str) -> str | None:
        """The code of an account, whose leading zeros a program may have removed."""
        return self._codes.get(account) or self._codes.get(account.zfill(self._length))

    def _split(self, path: str, key: str, first: _Leg, contra: _Leg) -> list[_Leg]:
        """The legs of a booking, with the tax that DATEV would find in the amount separate."""
        if key == NO_SPLIT:
            return [first, contra]
        if key:
            rule = charts.KEYS[str(workspace_settings.current().datev_chart)].get(key)
            if rule is None:
                message = says("The tax code {key} is not known here. Have the tax posted separately.", key=key[:10])
                self._complaints.add(f"{path}.BU-Schlüssel", "unknown_key", message)
                return [first, contra]
            return [first, *self._parts(path, contra, rule)]
        rules = [self._automatic.get(entries.padded(leg.code, self._length)) for leg in (first, contra)]
        if all(rules):
            message = says("Both accounts calculate VAT automatically. Have the tax posted separately, with key 40.")
            self._complaints.add(f"{path}.Gegenkonto", "two_automatic_accounts", message)
        return [part for leg, rule in zip((first, contra), rules, strict=True) for part in self._parts(path, leg, rule)]

    def _parts(self, path: str, leg: _Leg, rule: Automatic | None) -> list[_Leg]:
        if rule is None:
            return [leg]
        tax = money.divide(leg.amount * rule.percent, 100 + rule.percent)
        return [leg._replace(amount=leg.amount - tax), self._leg(path, "Gegenkonto", rule.tax_account, tax)]

    def _dimension(self, path: str, field: str, value: str) -> Iterator[tuple[str, str]]:
        """The dimension that claims a field, and its value."""
        code = self._fields.get(field)
        if code is None or not value:
            return
        dimension = assigning.known()[code]
        if dimension.has(value):
            yield code, value
        else:
            message = says("There is no {dimension} {code}.", dimension=dimension.name, code=value[:40])
            self._complaints.add(f"{path}.{field.upper()}", "unknown_reference", message)

    def _project(self, path: str, code: str) -> str | None:
        if code and code not in self._projects:
            message = says("There is no project {code}.", code=code[:40])
            self._complaints.add(f"{path}.KOST1", "unknown_reference", message)
        return self._projects.get(code)


def _line(leg: _Leg, project_id: str | None, dimensions: dict[str, str], currency: str) -> NewJournalLine:
    amount = PositiveAmount(Decimal(money.text(abs(leg.amount), currency)))
    debit, credit = (amount, None) if leg.amount > 0 else (None, amount)
    return NewJournalLine(
        account_id=leg.code,
        debit=debit,
        credit=credit,
        contact_id=leg.contact_id,
        project_id=project_id,
        dimensions=Dimensions(dimensions) if dimensions else None,
    )


def _check_new(by_path: Mapping[str, NewJournalEntry], complaints: Complaints) -> None:
    """Refuse bookings that were received before: the same day, text, reference and sum."""
    base = workspace_settings.current().base_currency
    for path, entry in by_path.items():
        total = sum(money.minor(line.debit, base) for line in entry.lines if line.debit is not None)
        named = (entry.date.isoformat(), str(entry.description), entry.reference, total)
        for (number,) in WORKSPACE.rows(store.SAME, named):
            message = says("The file has already been posted as {number}.", number=number)
            complaints.add(path, "already_posted", message)


def _keep(posted: list[str], by_path: Mapping[str, NewJournalEntry], body: ReceivedBookings) -> DatevStack:
    days = [entry.date for entry in by_path.values()]
    name = body.name or "DATEV"
    stack = DatevStack.add(date_from=min(days), date_to=max(days), entries=len(posted), received_as=name)
    WORKSPACE.run(store.MARK, (stack.id, sql.array(posted)))
    data = {"dateFrom": str(min(days)), "dateTo": str(max(days)), "count": len(posted), "file": name}
    events.write("datev_stack.received", "datev_stack", stack.id, data)
    return stack
