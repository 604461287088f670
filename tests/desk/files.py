"""Files as an office sends them, and what adds them to a record."""

import struct
import zlib
from typing import Any

from erp.kernel import config
from erp.store import control, router
from erp.system.checks import files as checking
from tests.conftest import Office

PATH = "/workspace/attachments"
OCTETS = {"Content-Type": "application/octet-stream"}
XML = b'<?xml version="1.0"?><order><id>4711</id></order>'
JPEG = b"\xff\xd8\xff\xe0\0\x10JFIF\0" + b"\x11" * 40 + b"\xff\xd9"


def pdf(size: int = 400, filling: bytes = b"%") -> bytes:
    """What a PDF begins and ends with, of a size in bytes."""
    head, tail = b"%PDF-1.7\n", b"\n%%EOF\n"
    return head + filling * (size - len(head) - len(tail)) + tail


def png() -> bytes:
    """A picture of one dot."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def options(content: bytes, name: str, of: tuple[str, str] | None = None) -> Any:
    """The rest of a request that sends a file to a record, or to the inbox."""
    params = {"name": name} | ({"resourceType": of[0], "resourceId": of[1]} if of else {})
    return {"raw": content, "params": params, "headers": OCTETS}


def attach(office: Office, content: bytes, name: str, of: tuple[str, str] | None = None) -> Any:
    """A file that has been added to a record, or to the inbox."""
    return office.ok("POST", PATH, **options(content, name, of))


def refused(office: Office, content: bytes, name: str, of: tuple[str, str] | None = None, *, status: int) -> Any:
    """The error of a file that cannot be added."""
    return office.refused("POST", PATH, **options(content, name, of), status=status)


def files(office: Office, of: tuple[str, str] | None = None, **query: object) -> Any:
    """The files of a record, or those that a query finds."""
    params = query | ({"resourceType": of[0], "resourceId": of[1]} if of else {})
    return office.ok("GET", PATH, params=params)


def content(office: Office, id: str) -> bytes:
    """The bytes of a file, as they are downloaded."""
    answer = office.call("GET", f"{PATH}/{id}/content")
    assert answer.status_code == 200, answer.text
    downloaded: bytes = answer.content
    return downloaded


def stored(office: Office) -> tuple[Any, ...]:
    """How many files and how many bytes are kept."""
    with office.books():
        return router.WORKSPACE.rows(
            "SELECT (SELECT count(*) FROM stored_file), coalesce(sum(length(content)), 0) FROM stored_part"
        )[0]


def check(office: Office) -> list[str]:
    """What a check finds in the office's file."""
    router.close_all()
    with config.use(office.installation.config):
        return checking.workspace_file(control.workspace_path(office.workspace_id)).findings
