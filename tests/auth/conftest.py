"""Signing in as a browser does, and installations with other settings."""

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import falcon.testing
import pytest

from erp.kernel import config
from erp.store import control
from tests.conftest import PASSWORD, Installation, Office


@pytest.fixture
def install(tmp_path: Any) -> Callable[..., Installation]:
    """Make an installation with its own settings."""

    def make(**settings: Any) -> Installation:
        return Installation(tmp_path / "data", **settings)

    return make


@pytest.fixture
def sign_in(installation: Installation) -> Callable[..., falcon.testing.Result]:
    """Sign in over HTTP."""

    def attempt(email: str, password: str = PASSWORD, **options: Any) -> falcon.testing.Result:
        body = {"email": email, "password": password, **options.pop("body", {})}
        return installation.call("POST", "/auth/login", body, **options)

    return attempt


@pytest.fixture
def records(installation: Installation) -> Any:
    """Open the control file, to read or change its models."""

    @contextmanager
    def opened(*, write: bool = False) -> Any:
        with config.use(installation.config), control.write() if write else control.read():
            yield

    return opened


@pytest.fixture
def anna(installation: Installation) -> Office:
    """A person without a workspace."""
    return installation.newcomer("Anna")


def bearer(token: str) -> dict[str, str]:
    """The header of a script."""
    return {"Authorization": f"Bearer {token}"}


def code_of(answer: falcon.testing.Result) -> tuple[int, str]:
    """The status and the code of a refusal."""
    return answer.status_code, answer.json["error"]["code"]
