"""The log: a rotating file in the data directory, and warnings on stderr; stdout stays for people."""

import json
import logging
import logging.config
from datetime import UTC, datetime

from erp.config import Config

FILE_SIZE = 10 * 1024 * 1024
FILES_KEPT = 5
USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


def configure(config: Config) -> None:
    """Send the log where the settings say; a second call takes the place of the first."""
    config.logs_dir.mkdir(mode=0o700, exist_ok=True)
    formatter = "json" if config.log_format == "json" else "text"
    file = {
        "class": "logging.handlers.RotatingFileHandler",
        "filename": config.logs_dir / "erp.log",
        "maxBytes": FILE_SIZE,
        "backupCount": FILES_KEPT,
        "encoding": "utf-8",
        "formatter": formatter,
        "filters": ["no_paths"],
    }
    console = {"class": "logging.StreamHandler", "level": "WARNING", "formatter": formatter, "filters": ["no_paths"]}
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "filters": {"no_paths": {"()": NoRawPaths}},
            "formatters": {"text": {"()": TextLines}, "json": {"()": JsonLines}},
            "handlers": {"file": file, "console": console},
            "root": {"level": "WARNING", "handlers": ["file", "console"]},
            "loggers": {
                "erp": {"level": config.log_level.upper()},
                "waitress.queue": {"level": "ERROR"},  # a full queue is what `threads` is for, not an event
            },
        }
    )


class NoRawPaths(logging.Filter):
    """Takes the request's path out of what waitress logs: a path may be a secret."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "waitress":
            record.msg, record.args = record.getMessage().partition(" while serving ")[0], ()
        return True


class TextLines(logging.Formatter):
    """One line a record for people: instant, level, logger, message, then the extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage().replace("\r", "\\r").replace("\n", "\\n")
        extra = "".join(f" {name}={value}" for name, value in _extra(record).items())
        line = f"{_instant(record)} {record.levelname:<7} {record.name} {message}{extra}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """One JSON object a record for machines."""

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
