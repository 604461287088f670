"""The second engine put in place of the first, before any statement is spelt."""

import sys

from erp.migrations import CONTROL_SCHEMA, WORKSPACE_SCHEMA
from erp.store import router, sql
from tests.store.second_engine import words
from tests.store.second_engine.engine import Served


def install(folder: str) -> None:
    """Let the routers open databases of the server whose socket is in the folder, and spell its words."""
    assert "erp.store.records" not in sys.modules, "a model is bound to the other engine already"
    for name in words.WORDS:
        assert hasattr(sql, name), name
        setattr(sql, name, getattr(words, name))
    control = Served("control", router.CONTROL_ID, pool_size=4, tip_query=router.NEWEST_CHANGE)
    workspace = Served("workspace", router.WORKSPACE_ID, pool_size=4, tip_query=router.NEWEST_EVENT)
    control.serve(folder, CONTROL_SCHEMA.version)
    workspace.serve(folder, WORKSPACE_SCHEMA.version)
    router.CONTROL, router.WORKSPACE = control, workspace
    from erp.store import engine  # it imports the routers

    engine.size = lambda connection: 0
