"""The tags in use, of tasks and projects, to choose from while one is typed."""

from erp.kernel import caller
from erp.store.router import WORKSPACE
from erp.tasks import privacy
from erp.web.endpoint import endpoint
from erp.web.schema import TableQuery, View

_MOST = 500
"""The most tags in an answer."""

_OF_PROJECTS = "UNION ALL SELECT value AS name FROM project, json_each(project.tags)"
_USED = """
SELECT name, count(*) AS uses FROM (
    SELECT value AS name FROM (SELECT tags FROM task WHERE {seen}) AS seen, json_each(seen.tags)
    {projects}
) AS used
GROUP BY name ORDER BY uses DESC, name LIMIT {most}
"""


class TagView(View):
    """A tag, and how many tasks and projects bear it."""

    name: str
    uses: int


class Collection:
    @endpoint(permission="tasks.read")
    def on_get(self, query: TableQuery) -> list[TagView]:
        """List the tags of tasks and projects, the most used first, at most 500.

        Tags of private tasks are there only for those who see the tasks, and tags of projects for those who read them.
        """
        seen = privacy.visible()
        projects = _OF_PROJECTS if caller.may("projects.read") else ""
        statement = _USED.format(seen=seen.sql, projects=projects, most=_MOST)
        return [TagView(name=name, uses=uses) for name, uses in WORKSPACE.rows(statement, seen.parameters)]
