"""Answers as gzip, for clients that accept it."""

import gzip
import re

from falcon import MEDIA_JSON, Request, Response

LEAST = 1024
"""The fewest bytes that are compressed: a smaller answer fits into a packet or two as it is."""

LEVEL = 1
"""Measured for 50 invoices, 35 kB: 0.2 ms for a ninth of the bytes; level 6 takes 0.6 ms for a tenth."""

_GZIP = re.compile(r"gzip(;q=(1(\.0*)?|0\.0*[1-9][0-9]*))?")


def accepts_gzip(req: Request) -> bool:
    """Whether a request says that its answer may be compressed."""
    header = req.env.get("HTTP_ACCEPT_ENCODING")
    if header is None:
        return False
    return any(_GZIP.fullmatch(coding) for coding in header.replace(" ", "").lower().split(","))


def compress(req: Request, resp: Response) -> None:
    """Compress an answer that is JSON in memory; files, tables and compressed answers stay as they are."""
    if resp.data is None or resp.content_type != MEDIA_JSON or resp.get_header("Content-Encoding") is not None:
        return
    resp.append_header("Vary", "Accept-Encoding")
    if len(resp.data) >= LEAST and accepts_gzip(req):
        resp.data = gzip.compress(resp.data, LEVEL, mtime=0)
        resp.set_header("Content-Encoding", "gzip")
