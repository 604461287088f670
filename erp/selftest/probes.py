"""Whether this build contains all it needs: each probe really uses a part that packing may have lost."""

import base64
import io
import sys
import zipfile
import zoneinfo
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from tempfile import TemporaryDirectory

import erp
from erp.kernel.config import Config
from erp.selftest.office import named_in, trial_office
from erp.store import connections, router

PASSWORD = "a password to test with"
SAMPLE = "Ängström, Ελλάς, Юрий"


class Broken(Exception):
    """A part does not work; the message says what it did instead."""


def run() -> bool:
    """Run every probe and print a line for each; whether all have passed."""
    verdicts = [_try(name, probe) for name, probe in PROBES.items()]
    return all(verdicts)


def _try(name: str, probe: Callable[[], str]) -> bool:
    try:
        print(f"ok      {name}: {probe()}", flush=True)
    except Exception as problem:  # noqa: BLE001 - any exception is a finding
        print(f"FAILED  {name}: {problem or type(problem).__name__}", flush=True)
        return False
    return True


def modules() -> str:
    """Every module of the program can be imported, with all that it needs."""
    names = [module.name for module in walk_packages(erp.__path__, "erp.") if module.name != "erp.__main__"]
    for name in names:
        import_module(name)
    return f"{len(names)} imported"


def sqlite() -> str:
    """SQLite is a safe version, is loaded only once, and has full-text search."""
    connections.check_sqlite_version()
    if hasattr(sys, "_MEIPASS") and {"_sqlite3", "pysqlite3._sqlite3"} <= sys.modules.keys():
        raise Broken("two SQLite libraries are loaded, and each would drop the other's locks")
    with connections.plain(connections.IN_MEMORY) as memory:
        memory.execute("CREATE VIRTUAL TABLE note USING fts5 (text)")
        memory.execute("INSERT INTO note VALUES ('a quick brown ledger')")
        _expect(memory.execute("SELECT count(*) FROM note('ledger')").fetchone(), (1,))
    return f"{connections.SQLITE_VERSION} from {connections.SQLITE_MODULE}, with full-text search"


def passwords() -> str:
    """Passwords are hashed, and only the right one is accepted; the most common ones are known."""
    from erp.auth import guessable, passwords

    hashed = passwords.hash_password(PASSWORD)
    _expect((passwords.verify(hashed, PASSWORD), passwords.verify(hashed, PASSWORD + "!")), (True, False))
    _expect(passwords.weakness("password123"), ("too_guessable", guessable.COMMON))
    _expect(passwords.weakness(PASSWORD), None)
    return hashed[1 : hashed.rindex("$", 0, hashed.rindex("$"))].replace("$", " ")


def time_zones() -> str:
    """The packed time zones are enough, without the system's."""
    zoneinfo.reset_tzpath(to=())
    try:
        auckland = zoneinfo.ZoneInfo.no_cache("Pacific/Auckland")
        _expect(datetime(2026, 1, 1, tzinfo=UTC).astimezone(auckland).strftime("%H %Z"), "13 NZDT")
        count = len(zoneinfo.available_timezones())
    finally:
        zoneinfo.reset_tzpath()
    if count < 400:
        raise Broken(f"only {count} time zones are known")
    return f"{count} time zones"


def pdf() -> str:
    """A PDF page is drawn with its own typeface."""
    from erp.kernel.paper.pdf import Paper, blank

    sheet = Paper(SAMPLE, datetime(2026, 1, 1, tzinfo=UTC))
    sheet.rows((1, 1), ("L", "R"), [("Item", "Amount"), (SAMPLE, "1.00")])
    drawn = sheet.finish()
    if not drawn.startswith(b"%PDF-") or b"NotoSans" not in drawn.replace(b" ", b""):
        raise Broken("the result is not a PDF with the typeface in it")
    if b"sRGB" not in bytes(blank(archived=True).output()):
        raise Broken("a PDF/A has no colour profile")
    return f"a PDF of {len(drawn)} bytes, and an empty PDF/A"


def letterhead() -> str:
    """A letterhead is judged, and laid under a page that stays PDF/A."""
    from PIL import Image

    from erp.kernel.paper import letterheads
    from erp.kernel.paper.pdf import blank

    image = io.BytesIO()
    Image.new("RGB", (210, 297), "orange").save(image, "PNG")
    kept = letterheads.judged(letterheads.judged(image.getvalue()).content)
    laid = letterheads.under(bytes(blank(archived=True).output()), kept.content)
    if b"/Letterhead1" not in laid or b"/GTS_PDFA1" not in laid:
        raise Broken("the page has lost its letterhead or its colour profile")
    return f"{kept.pages} page, laid under another"


def bank_accounts() -> str:
    """IBANs are checked against the registry of their formats."""
    from stdnum import iban

    _expect([iban.is_valid(number) for number in ("DE89370400440532013000", "DE88370400440532013000")], [True, False])
    return "IBANs are checked"


def vat_ids() -> str:
    """VAT ids are checked by the rules of each country, whose modules are found by name."""
    from stdnum.eu.vat import MEMBER_STATES
    from stdnum.util import get_cc_module

    from erp.kernel import vat_ids

    known = ("DE123456788", "ATU12345675", "IE1234567T", "XI999999973", "DE123456789")
    _expect([vat_ids.is_valid(number) for number in known], [True, True, True, True, False])
    missing = sorted(state for state in MEMBER_STATES - {"xi"} if get_cc_module(state, "vat") is None)
    _expect(missing, [])
    return f"VAT ids of {len(MEMBER_STATES)} countries are checked"


def public_holidays() -> str:
    """The holidays of countries are known, in their languages."""
    from erp.hr.calendar.holidays import public_holidays as look_up

    names = [look_up("DE", "BY", 2026)[date(2026, 12, 25)], look_up("GR", None, 2026)[date(2026, 3, 25)]]
    names.append(look_up("DE", None, 2026, "en_US")[date(2026, 12, 25)])
    _expect(names, ["Erster Weihnachtstag", "Εικοστή Πέμπτη Μαρτίου", "Christmas Day"])
    return ", ".join(names)


def qr_codes() -> str:
    """Addresses are drawn as QR codes."""
    from erp.kernel import qr

    drawn = qr.svg("http://192.0.2.1:8420")
    if b"<svg" not in drawn or b"<path" not in drawn:
        raise Broken("the result is not an image")
    return f"an image of {len(drawn)} bytes"


def certificates() -> str:
    """An authority and its certificate: the server speaks TLS with them, and a client that trusts it understands."""
    import ssl

    from erp.runtime.tls.certificates import Certificates

    with TemporaryDirectory() as folder:
        settings = Config(data_dir=Path(folder), tls=True)
        certificates = Certificates(settings)
        certificates.renew()
        client = ssl.create_default_context(cafile=settings.tls_dir / "authority.pem")
    server = certificates.context
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = (
        client.wrap_bio(to_client, to_server, server_hostname="localhost"),
        server.wrap_bio(to_server, to_client, server_side=True),
    )
    for side in (*sides, *sides):
        with suppress(ssl.SSLWantReadError):
            side.do_handshake()
    sides[0].write(SAMPLE.encode())
    _expect(sides[1].read().decode(), SAMPLE)
    return f"a message has come through {sides[0].version()}"


def calendars() -> str:
    """Calendars are written so that other programs can read them."""
    from icalendar import Calendar

    from erp.web import ical

    at, day = "2026-01-01T00:00:00.000Z", date(2026, 1, 1)
    entry = ical.Entry(uid="1", first=day, last=day, summary=SAMPLE, created_at=at, updated_at=at, version=1)
    (event,) = Calendar.from_ical(ical.calendar("Office", [entry])).walk("VEVENT")
    _expect(str(event["SUMMARY"]), SAMPLE)
    return "an entry has been written and read"


def spreadsheets() -> str:
    """Excel files are read."""
    from erp.web import spreadsheets as reader

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    link = '<Relationships xmlns="{}"><Relationship Id="a" Type="{}/{}" Target="{}"/></Relationships>'
    parts = {
        "_rels/.rels": link.format(package, office, "officeDocument", "xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": link.format(package, office, "worksheet", "worksheets/sheet1.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="S" sheetId="1" r:id="a"/>'
        "</sheets></workbook>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData><row><c><v>1.5</v></c>'
        f'<c t="inlineStr"><is><t>{SAMPLE}</t></is></c></row></sheetData></worksheet>',
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    _expect(reader.read(base64.b64encode(file.getvalue()).decode(), "xlsx"), [["1.5", SAMPLE]])
    return "a sheet has been read"


def pages() -> str:
    """The pages and the documentation are complete, with every file that they name."""
    with trial_office() as office:
        texts = office.linked_from("/", "/api/docs", "/docs")
    bare = [page for page in ("/", "/api/docs") if not {"js", "css"} <= _kinds(named_in(page, texts[page]))]
    empty = [path for path, text in texts.items() if not text]
    if bare or empty:
        raise Broken(f"without script or style: {bare}, empty: {empty}")
    return f"{len(texts)} files, {sum(map(len, texts.values()))} characters"


def messages() -> str:
    """Every refusal can be said in every language of the program."""
    from erp.kernel import language
    from erp.kernel.errors import SignInRequired

    others = [spoken for spoken in language.LANGUAGES if spoken != language.ENGLISH]
    english = SignInRequired().message
    unsaid = [spoken for spoken in others if language.translated(english, spoken) == english]
    _expect(unsaid, [])
    return f"{', '.join(others)}, such as {language.translated(english, others[0])}"


def books() -> str:
    """An office is set up, posts to its books, and its files are sound."""
    from erp.finance.journals.bodies import NewJournalEntry
    from erp.system.checks import files as checking

    with trial_office() as office:
        user = {"email": "olga@example.com", "password": PASSWORD, "name": "Olga"}
        office.token = office.post("/auth/register", **user)["session"]["token"]
        workspace = office.post("/workspace", name="Trial", country="DE", chartTemplate="standard")["id"]
        office.post("/auth/select-workspace", workspaceId=workspace)
        number = office.post("/finance/journals", **NewJournalEntry.EXAMPLE)["number"]
        router.close_all()
        reports = [checking.control_file(office.config.control_path)]
        reports.append(checking.workspace_file(office.config.workspaces_dir / f"{workspace}.db"))
    problems = [problem for report in reports for problem in report.problems]
    if problems:
        raise Broken(" ".join(problems))
    schemas = " and ".join(f"{report.kind} {report.schema}" for report in reports)
    return f"entry {number} posted, files sound (schemas {schemas})"


PROBES: dict[str, Callable[[], str]] = {
    "modules": modules,
    "SQLite": sqlite,
    "passwords": passwords,
    "time zones": time_zones,
    "PDF": pdf,
    "letterhead": letterhead,
    "bank accounts": bank_accounts,
    "VAT ids": vat_ids,
    "public holidays": public_holidays,
    "QR codes": qr_codes,
    "certificates": certificates,
    "calendars": calendars,
    "spreadsheets": spreadsheets,
    "pages": pages,
    "messages": messages,
    "books": books,
}


def _expect(actual: object, expected: object) -> None:
    if actual != expected:
        raise Broken(f"the result is {actual!r} instead of {expected!r}")


def _kinds(names: list[str]) -> set[str]:
    return {name.rpartition(".")[2] for name in names}
