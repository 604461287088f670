"""The addresses of a host by its name, within a time."""

import socket
import threading
from typing import Any

Found = tuple[int, Any]
"""A family of addresses, and an address of it as sockets take it."""


def addresses(host: str, port: int, seconds: float) -> list[Found]:
    """Resolve in a separate thread, because nothing else ends a query that no name server answers.

    A stopping server does not wait for that thread.

    Raises:
        TimeoutError: there is no answer in time.
        OSError, UnicodeError: no one has the name, or it is none.
    """
    answers: list[list[Found] | OSError | UnicodeError] = []

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            answers.append(error)
        else:
            answers.append([(family, address) for family, _, _, _, address in rows])

    thread = threading.Thread(target=ask, name="resolving a name", daemon=True)
    thread.start()
    thread.join(seconds)
    if not answers:
        raise TimeoutError
    if isinstance(answers[0], Exception):
        raise answers[0]
    return answers[0]
