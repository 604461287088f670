"""The workflows that check and release the program."""

import pytest

from tests.paths import ROOT

WORKFLOWS = [path.stem for path in (ROOT / ".github" / "workflows").iterdir()]


def workflow(name):
    """A workflow; YAML reads its key `on` as true."""
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text("utf-8"))
