"""Opening the data directory for a command that is not the server."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress

from msgspec.structs import replace

from erp.kernel import caller, config
from erp.kernel.caller import Caller
from erp.kernel.config import Config
from erp.runtime import instance
from erp.store import router

COMMAND_LINE = Caller(user_id="", name="erp command line", email="")
"""The actor of events that commands write."""


@contextmanager
def opened(settings: Config, *, alone: bool = False) -> Iterator[None]:
    """Open the data directory beside a running server; without one, hold it and migrate it first, as a server would.

    Raises:
        HeldByAnother: a server is running, and `alone` allows none.
    """
    from erp.system import upkeep
    from erp.system.backups import apply, chain_heads

    instance.prepare(settings)
    port = instance.running_on(settings.data_dir) or settings.port
    with ExitStack() as stack:
        used = stack.enter_context(config.use(replace(settings, port=port)))
        held = None
        with nullcontext() if alone else suppress(instance.HeldByAnother):
            held = stack.enter_context(instance.hold(used))
        stack.callback(router.close_all)
        stack.enter_context(caller.acting(COMMAND_LINE))
        if held is not None:
            _bring_up_to_date(used, held)
            stack.callback(upkeep.finish)
        elif apply.is_under_way(used.data_dir):
            raise instance.CannotStart("A backup is being restored. Try again in a minute.")
        stack.callback(chain_heads.note_written)
        yield


def _bring_up_to_date(used: Config, held: instance.Instance) -> None:
    from erp.system import upkeep

    with instance.needing_control_file(used):
        upkeep.prepare(used, after_crash=held.needs_check)
        held.checked()
