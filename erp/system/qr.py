"""The address that others use, as a QR code to be shown on the admin's screen."""

from erp.kernel import config, qr
from erp.kernel.errors import NotFound
from erp.web.endpoint import endpoint
from erp.web.hosts import shared_url
from erp.web.schema import File


def code() -> File:
    """Draw the address that others use.

    Raises:
        NotFound: the server is not shared.
    """
    shared = shared_url(config.current())
    if shared is None:
        raise NotFound("This server is not shared with the network; start it with --lan to share it.")
    return File(qr.svg(shared), "erp.svg")


class Code:
    """The QR code."""

    @endpoint(access="instance", produces="image/svg+xml", refuses=(NotFound,))
    def on_get(self) -> File:
        """Draw the address that others reach this server by as a QR code.

        It is the public address if there is one, else that of the local network; none when the server is not shared.
        """
        return code()
