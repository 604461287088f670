"""The address for other devices, as a QR code for the administrator's screen."""

from erp.kernel import config, qr
from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.web.endpoint import endpoint
from erp.web.hosts import shared_url
from erp.web.schema import File


def shared_address() -> str:
    """The address for other devices.

    Raises:
        NotFound: the server is not shared.
    """
    address = shared_url(config.current())
    if address is None:
        raise NotFound(says("This server is not shared with the network. Start it with --lan to share it."))
    return address


class Code:
    @endpoint(access="instance", produces="image/svg+xml", refuses=(NotFound,))
    def on_get(self) -> File:
        """Draw the address at which other devices reach this server as a QR code.

        It is the public address if there is one, otherwise the address on the local network. A server that is not
        shared has none.
        """
        return File(qr.svg(shared_address()), "erp.svg")
