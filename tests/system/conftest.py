"""What tests of the installation share."""

from pathlib import Path

import pytest

from tests.conftest import Installation
from tests.system.transfer.exports import register


@pytest.fixture
def elsewhere(tmp_path: Path) -> Installation:
    """Another installation, with an administrator of its own."""
    other = Installation(tmp_path / "elsewhere")
    register(other, "admin@elsewhere.example", "Ada")
    return other
