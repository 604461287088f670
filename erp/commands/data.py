"""Opening the data directory for a command that is not the server."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from erp import config, db, instance
from erp.config import Config


@contextmanager
def opened(settings: Config) -> Iterator[None]:
    """Open the data directory, brought up to date as a start of the server would, unless one runs on it already."""
    from erp import upkeep

    instance.prepare(settings)
    port = instance.running_on(settings.data_dir) or settings.port
    with config.use(replace(settings, port=port)) as used:
        try:
            with suppress(instance.HeldByAnother), instance.hold(used) as held, instance.needing_control_file(used):
                # Under a running server it would undo the workspace that is being made there.
                upkeep.prepare(used, after_crash=held.needs_check)
                held.checked()
            yield
        finally:
            db.close_all()
