"""Which resource answers at which path."""

from itertools import product

import pytest
from falcon.routing import CompiledRouter

from erp.app import routes
from erp.web.paths import Paths

PARAMETERS = ("0199", "timer", "api", "", "a b")


class Thing:
    """Something that can be shown."""

    def on_get(self, req, resp):
        """Show it."""


@pytest.fixture(scope="module")
def paths():
    paths = Paths()
    for template in ("/", "/tasks", "/tasks/{id}", "/tasks/{id}/timer/start", "/tasks/timer/stop"):
        paths.add_route(template, Thing())
    paths.add_route("/files/{version}/{name:path}", Thing())
    return paths


def found(router, path):
    """The template, the parameters and the methods that answer, as text; None if nothing does."""
    route = router.find(path)
    return None if route is None else (route[3], route[2], sorted(route[1]))


@pytest.mark.parametrize(
    ("path", "template", "parameters"),
    [
        ("/", "/", {}),
        ("/tasks", "/tasks", {}),
        ("//tasks", "/tasks", {}),
        ("/tasks/7", "/tasks/{id}", {"id": "7"}),
        ("/tasks/timer", "/tasks/{id}", {"id": "timer"}),
        ("/tasks/timer/stop", "/tasks/timer/stop", {}),
        ("/tasks/timer/timer/start", "/tasks/{id}/timer/start", {"id": "timer"}),
        ("/files/1/a/b.js", "/files/{version}/{name:path}", {"version": "1", "name": "a/b.js"}),
    ],
)
def test_a_name_goes_before_a_parameter_unless_the_path_then_leads_nowhere(paths, path, template, parameters):
    route = paths.find(path)
    assert (route[3], route[2]) == (template, parameters)


@pytest.mark.parametrize("path", ["/task", "/tasks/7/timer", "/tasks/7/stop", "/tasks/timer/stop/now", "/files/1"])
def test_nothing_answers_where_no_path_ends(paths, path):
    assert paths.find(path) is None


def test_every_path_of_the_server_leads_where_falcons_own_router_would_lead():
    ours, falcons, templates = Paths(), CompiledRouter(), routes()
    for template, resource in templates.items():
        ours.add_route(template, resource)
        falcons.add_route(template, resource)
    asked = {path for template in templates for path in filled(template)}
    assert len(asked) > 500
    assert [path for path in sorted(asked) if found(ours, path) != found(falcons, path)] == []


def filled(template):
    """Paths of a template: with several parameters, whole, a part longer, and a part shorter."""
    parts = [PARAMETERS if part.startswith("{") else (part,) for part in template.split("/")]
    for path in map("/".join, product(*parts)):
        yield from (path, f"{path}/timer", path.rpartition("/")[0])
