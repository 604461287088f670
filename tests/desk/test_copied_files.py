"""No file is lost or changed unseen: the check, backups and exports."""

from pathlib import Path

from erp.kernel import config
from erp.store import control, router
from tests.conftest import Installation
from tests.desk.files import PATH, attach, check, content, files, pdf, png
from tests.finance.documents.invoices import invoice
from tests.system.checks.offices import tamper
from tests.system.transfer.exports import moved


def test_a_check_finds_a_flipped_byte(acme):
    sold = invoice(acme, "60.00")
    attach(acme, pdf(1_200_000), "large.pdf", ("invoice", sold["id"]))
    attach(acme, pdf(), "other.pdf")
    assert check(acme) == []
    with config.use(acme.installation.config):
        path = control.workspace_path(acme.workspace_id)
    router.close_all()
    tamper(
        path,
        "UPDATE stored_part SET content = CAST(x'26' || substr(content, 2) AS BLOB) WHERE number = 2",
    )
    findings = check(acme)
    assert len(findings) == 1
    assert findings[0].startswith("The file large.pdf of invoice ")
    assert "is not what was kept" in findings[0]


def test_a_check_finds_a_file_that_was_swapped_or_removed(acme):
    attach(acme, pdf(), "a.pdf")
    attach(acme, pdf(500), "b.pdf")
    with config.use(acme.installation.config):
        path = control.workspace_path(acme.workspace_id)
    router.close_all()
    tamper(path, "UPDATE attachment SET sha256 = (SELECT sha256 FROM stored_file WHERE size = 400), size = 400")
    assert any("file b.pdf" in finding for finding in check(acme))
    router.close_all()
    tamper(path, "DELETE FROM attachment WHERE name = 'b.pdf'")
    assert any("Another program has deleted file b.pdf" in finding for finding in check(acme))


def test_a_backup_brings_the_files_back(acme):
    sold = invoice(acme, "60.00")
    kept = attach(acme, pdf(1_200_000), "large.pdf", ("invoice", sold["id"]))
    inbox = attach(acme, png(), "b.png")
    name = acme.ok("POST", "/system/backups", {})["name"]
    acme.ok("DELETE", f"{PATH}/{inbox['id']}")
    acme.ok("POST", f"/system/backups/{name}/restore", {"workspaceId": acme.workspace_id})
    assert content(acme, kept["id"]) == pdf(1_200_000)
    assert content(acme, inbox["id"]) == png()
    assert check(acme) == []


def test_an_export_carries_the_files(acme, tmp_path: Path):
    sold = invoice(acme, "60.00")
    kept = attach(acme, pdf(1_200_000), "large.pdf", ("invoice", sold["id"]))
    there = Installation(tmp_path / "there")
    (olga,) = moved(acme, there, tmp_path / "out")
    assert content(olga, kept["id"]) == pdf(1_200_000)
    assert [row["name"] for row in files(olga)] == ["large.pdf"]
    assert check(olga) == []
