"""An office whose webhooks may send to this computer, and a receiver."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from erp.store.router import WORKSPACE
from erp.webhooks.waking import BELL
from tests.conftest import Copied, Office
from tests.webhooks.receiver import Receiver, receiving


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as made:
        yield made


@pytest.fixture
def office(acme: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    """Olga's office on a server that was started with --webhooks-private, where each write rings the bell."""
    monkeypatch.setattr(WORKSPACE, "on_written", BELL.on_written)
    installation = acme.installation
    server = Copied(installation.config.data_dir, webhooks_private=True)
    installation.config = replace(installation.config, webhooks_private=True)
    installation.app, installation.client = server.app, server.client
    return acme
