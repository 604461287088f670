"""The threads of the server that send mail."""

from contextlib import AbstractContextManager

from erp.delivery import crew
from erp.kernel.config import Config
from erp.mail.sender import Sender


def running(settings: Config, first_look: float = crew.FIRST_LOOK) -> AbstractContextManager[None]:
    """Send due messages in threads during the block."""
    return crew.running(Sender(settings), first_look)
