"""Requests as they arrive: waitress's parser, which refuses at once whatever two programs could read differently."""

import re

from waitress.parser import HTTPRequestParser, ParsingError, TransferEncodingNotImplemented
from waitress.receiver import ChunkedReceiver
from waitress.utilities import BadRequest, RequestEntityTooLarge

CHUNK_LINE = 1 << 10
"""Bytes of the line before a chunk; a client that never ends it makes the server read the line again and again."""
_FOLDED = re.compile(rb"\r\n[ \t]")
_CODINGS = re.compile(rb"\r\ntransfer-encoding:([^\r\n]*)", re.IGNORECASE)


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Refuses requests that break the parser, or that a proxy might see end elsewhere (RFC 9112, sections 2 to 7)."""

    def received(self, data: bytes) -> int:
        taken = int(super().received(data))
        if isinstance(self.body_rcv, ChunkedReceiver) and not self.completed:
            self._judge_chunk(self.body_rcv)
        return taken

    def parse_header(self, header_plus: bytes) -> None:
        if _FOLDED.search(header_plus):
            raise ParsingError("A header goes on in a second line")
        try:
            super().parse_header(header_plus)
        except (ParsingError, TransferEncodingNotImplemented):
            raise
        except ValueError as problem:  # the address `http://[`, or a length of 5,000 digits
            raise ParsingError("The head cannot be read") from problem
        if self.version not in ("1.0", "1.1"):
            raise ParsingError("The version of HTTP is not known")
        self._judge_framing(_CODINGS.findall(header_plus))

    def _judge_framing(self, codings: list[bytes]) -> None:
        """Refuse a head that leaves open where the body ends."""
        if not codings:
            return
        if self.version == "1.0" or [coding.strip(b" \t").lower() for coding in codings] != [b"chunked"]:
            raise ParsingError("The body may be chunked once, in HTTP/1.1")
        if "CONTENT_LENGTH" in self.headers:
            raise ParsingError("The head names two lengths")

    def _judge_chunk(self, body: ChunkedReceiver) -> None:
        """Refuse a chunk that is larger than a body may be, and lines that do not end."""
        if body.chunk_remainder > self.adj.max_request_body_size:
            self.error = RequestEntityTooLarge("A chunk is larger than a body may be")
        elif len(body.control_line) > CHUNK_LINE or len(body.trailer) > self.adj.max_request_header_size:
            self.error = BadRequest("A line of the body does not end")
        self.completed = self.error is not None
