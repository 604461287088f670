"""The log: a rotating file in the data directory, and warnings on stderr. stdout is only for people."""

import json
import logging
import sys
from contextlib import AbstractContextManager, nullcontext, suppress
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from erp.kernel.config import Config

FILE_SIZE = 10 * 1024 * 1024
FILES_KEPT = 5
LINES_TOGETHER = 200
USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure(config: Config) -> None:
    """Send the log to the configured places; a second call replaces the first."""
    config.logs_dir.mkdir(mode=0o700, exist_ok=True)
    file = LogFile(config.logs_dir / "erp.log", maxBytes=FILE_SIZE, backupCount=FILES_KEPT, encoding="utf-8")
    console = logging.StreamHandler()
    console.setLevel(logging.WARNING)
    for handler in (file, console):
        handler.setFormatter(JsonLines() if config.log_format == "json" else TextLines())
        handler.addFilter(NoRawPaths())
    logging.basicConfig(level=logging.WARNING, handlers=[file, console], force=True)
    logging.getLogger("erp").setLevel(config.log_level.upper())
    _look_up_only_what_is_shown()
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a full queue is normal with `threads`


def _look_up_only_what_is_shown() -> None:
    """Leave the thread, the process and the line of code out of records.

    Source: the logging how-to of Python, "Optimization".
    """
    logging._srcfile = None
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False


class LogFile(RotatingFileHandler):
    """A rotating file whose lines are made together: at a warning or an error, at every 200th, and every few seconds.

    Measured: one line in the middle of a request took a sixth of a small request's time, five times as long as one of
    200 that are made in a row.
    """

    def __init__(self, filename: Path, **settings: Any) -> None:
        super().__init__(filename, **settings)
        self._size = filename.stat().st_size
        self._waiting: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Buffer a record as it is now, and write the buffer if it is time."""
        if record.args:
            record.msg, record.args = record.getMessage(), None
        self._waiting.append(record)
        if record.levelno >= logging.WARNING or len(self._waiting) >= LINES_TOGETHER:
            self.flush()

    def flush(self) -> None:
        """Write the buffer; on a full disk it stays buffered, and errors go to stderr alone."""
        with self._lock_of_lines():
            waiting, self._waiting = self._waiting, []
            for record in waiting:
                self._write(record)
            with suppress(OSError):
                super().flush()

    def close(self) -> None:
        """Write the buffer; on a full disk it is lost."""
        with suppress(OSError):
            super().close()

    def _lock_of_lines(self) -> AbstractContextManager[object]:
        return self.lock or nullcontext()

    def _write(self, record: logging.LogRecord) -> None:
        try:
            line = f"{self.format(record)}\n"
            if self._size + len(line) > self.maxBytes:
                self.doRollover()
                self._size = 0
            self.stream = self.stream or self._open()
            self.stream.write(line)
            self._size += len(line)
        except Exception:  # noqa: BLE001 - a line that cannot be logged must not fail the request
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the base class's name
        """Report an error of logging, except on a full disk: there the record itself, on stderr, is enough."""
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)


def flush() -> None:
    """Write the buffer of the log."""
    for handler in logging.getLogger().handlers:
        handler.flush()


class NoRawPaths(logging.Filter):
    """Removes the request's path from waitress's records: a path may hold a secret."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "waitress":
            record.msg, record.args = record.getMessage().partition(" while serving ")[0], ()
        return True


class TextLines(logging.Formatter):
    """One line per record, for people: instant, level, logger, message, then the extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage().replace("\r", "\\r").replace("\n", "\\n")
        extra = "".join(f" {name}={value}" for name, value in _extra(record).items())
        line = f"{_instant(record)} {record.levelname:<7} {record.name} {message}{extra}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """One JSON object per record, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {"at": _instant(record), "level": record.levelname.lower(), "logger": record.name}
        line |= {"message": record.getMessage(), **_extra(record)}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def _instant(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _extra(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in vars(record).items() if name not in USUAL and value is not None}
