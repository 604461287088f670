"""An office from an empty folder to a printed payslip, and everything restored from a backup."""

import hashlib
import json
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

from erp.store.connections import sqlite3
from tests.executable.program import PATIENCE, Served, done, run

YEAR = {"startDate": "2026-01-01", "endDate": "2026-12-31"}
NAMES = ["Olga", "Petra", "Quentin", "Rosa", "Sven"]


def test_an_office_works_and_is_restored_completely_from_a_backup(executable, serve, tmp_path, temp):
    start = tmp_path / "an empty folder"
    start.mkdir()
    data = tmp_path / "Büro Daten"
    server = serve(data, cwd=start)
    figures = set_up(server)
    printed = done(executable, "backup", "--data-dir", str(data), "--to", str(tmp_path / "kept"), temp=temp)
    assert server.stop() == 0
    (backup,) = (tmp_path / "kept").glob("*.zip")
    assert str(backup) in printed
    before = done(executable, "check", "--data-dir", str(data), temp=temp) if has_check(executable, temp) else ""

    wipe(data)
    done(executable, "restore", str(backup), "--data-dir", str(data), temp=temp)
    server = serve(data)
    assert {name: reported(server, server.sign_in(name)) for name in NAMES} == figures
    assert server.stop() == 0
    again = tmp_path / "again"
    done(executable, "backup", "--data-dir", str(data), "--to", str(again), temp=temp)
    assert workspaces_of(next(again.glob("*.zip"))) == workspaces_of(backup)
    if before:
        after = done(executable, "check", "--data-dir", str(data), temp=temp)
        assert databases_in(after) == databases_in(before)


def test_sample_data_is_made_and_deleted(executable, serve, temp):
    server = serve()
    code = server.line("To set up, open within 30 minutes: ").partition("#setup=")[2]
    token = server.register("Olga", setupCode=code)
    own = server.make_workspace("Olga & Söhne", token)
    trial = {"name": "Trial", "isSample": True}
    sample = server.ok("POST", "/workspace", trial, token, patience=4 * PATIENCE)["id"]  # a year is played
    assert list((server.data / "sample").iterdir()) == []
    server.ok("POST", "/auth/select-workspace", {"workspaceId": sample}, token)
    assert len(server.ok("GET", "/finance/invoices?limit=200", None, token)) > 50
    assert len(server.ok("GET", "/hr/employees", None, token)) == 9
    assert server.ok("GET", "/finance/reports/balance-sheet", None, token)["isBalanced"] is True
    assert sample in done(executable, "check", "--data-dir", str(server.data), temp=temp)
    server.ok("DELETE", f"/workspace/{sample}", None, token)
    assert [path.name for path in (server.data / "workspaces").glob("*.db")] == [f"{own}.db"]
    assert [one["id"] for one in server.ok("GET", "/workspace", None, token)] == [own]
    assert server.stop() == 0


def databases_in(checked: str) -> list[str]:
    """What a check says of the databases; a slow machine may have made a daily backup in the meantime."""
    return [line for line in checked.splitlines() if line.startswith("control.db: ") or "(workspaces/" in line]


def set_up(server: Served) -> dict[str, Any]:
    """Register the first user by the printed link and four more, each with a workspace; what their books report."""
    code = server.line("To set up, open within 30 minutes: ").partition("#setup=")[2]
    tokens = {"Olga": server.register("Olga", setupCode=code)}
    tokens |= {name: server.register(name) for name in NAMES[1:]}
    for amount, (name, token) in enumerate(tokens.items(), 100):
        server.make_workspace(f"{name} & Söhne", token)
        trade(server, token, f"{amount}.50")
    pay_staff(server, tokens["Olga"])
    for path, beginning in (("/", b"<!doctype html"), ("/api/docs", b"<!doctype html"), ("/api/openapi.json", b"{")):
        status, content = server.ask("GET", path)
        assert (status, content[: len(beginning)].lower()) == (200, beginning)
    return {name: reported(server, token) for name, token in tokens.items()}


def trade(server: Served, token: str, price: str) -> None:
    """Issue an invoice and receive its payment."""
    line = {"description": "Beratung", "quantity": "2", "unitPrice": price, "accountId": "4100"}
    invoice = server.ok("POST", "/finance/invoices", {"customer": {"name": "Initech"}, "lines": [line]}, token)
    payment = {"invoiceId": invoice["id"], "amount": invoice["total"]}
    server.ok("POST", "/finance/payments", payment, token)


def pay_staff(server: Served, token: str) -> None:
    """Hire an employee, run payroll, and print a payslip."""
    pay = {"payType": "salary", "amount": "3200.00", "frequency": "monthly"}
    server.ok("POST", "/hr/holidays/import", {"year": 2026}, token)
    server.ok("POST", "/hr/employees", {"name": "Юрий Moss", "hireDate": "2026-01-12", "compensation": pay}, token)
    period = {"periodStart": "2026-01-01", "periodEnd": "2026-01-31"}
    run = server.ok("POST", "/hr/payroll/run", period, token)
    server.ok("POST", f"/hr/payroll/runs/{run['id']}/approve", None, token)
    slip = run["payslips"][0]["id"]
    status, pdf = server.ask("GET", f"/api/v1/hr/payroll/payslips/{slip}/pdf", None, token)
    assert (status, pdf[:5]) == (200, b"%PDF-")


def reported(server: Served, token: str) -> Any:
    """The balance sheet of a workspace, and the check of its event chain."""
    workspaces = server.ok("GET", "/workspace", None, token)
    server.ok("POST", "/auth/select-workspace", {"workspaceId": workspaces[0]["id"]}, token)
    sheet = server.ok("GET", "/finance/reports/balance-sheet", None, token)
    assert sheet["isBalanced"] is True
    del sheet["proof"]["madeAt"]
    chain = server.ok("GET", "/workspace/events/verify", None, token)
    assert chain["isValid"] is True
    return json.dumps([workspaces[0]["name"], sheet, chain], sort_keys=True)


def has_check(executable: Path, temp: Path) -> bool:
    return run(executable, "check", "--help", temp=temp).returncode == 0


def wipe(data: Path) -> None:
    """Delete the folder with everything in it."""
    for path in sorted(data.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    data.rmdir()


def workspaces_of(backup: Path) -> dict[str, tuple[int, str, str]]:
    """Each workspace's newest event according to the manifest, and the hash of its file's content."""
    with zipfile.ZipFile(backup) as archive:
        archive.extractall(backup.with_suffix(""))
    manifest = json.loads((backup.with_suffix("") / "manifest.json").read_text("utf-8"))
    files = [file for file in manifest["files"] if file["name"].startswith("workspaces/")]
    assert len(files) == len(NAMES)
    return {file["name"]: (file["seq"], file["tip"], content(backup.with_suffix("") / file["name"])) for file in files}


def content(file: Path) -> str:
    """The hash of a database's schema and rows, whatever their order in the file."""
    with closing(sqlite3.connect(str(file))) as opened:
        schema = opened.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()
        tables = [name for kind, name, _ in schema if kind == "table"]
        rows = [sorted(map(repr, opened.execute(f'SELECT * FROM "{name}"'))) for name in tables]
    return hashlib.sha256(repr((schema, rows)).encode()).hexdigest()
