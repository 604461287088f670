"""An office whose server may send through mail servers of this computer."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from erp.mail.waking import BELL
from erp.store.router import WORKSPACE
from tests.conftest import Copied, Office
from tests.mail.mailbox import Mailbox, mailbox


@pytest.fixture
def box() -> Iterator[Mailbox]:
    with mailbox() as made:
        yield made


@pytest.fixture
def office(acme: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    """Olga's office on a server that was started with --mail-private, where each write rings the bell."""
    monkeypatch.setattr(WORKSPACE, "on_written", BELL.on_written)
    installation = acme.installation
    server = Copied(installation.config.data_dir, mail_private=True)
    installation.config = replace(installation.config, mail_private=True)
    installation.app, installation.client = server.app, server.client
    return acme
