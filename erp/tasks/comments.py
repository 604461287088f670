"""Comments on tasks."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.kernel.errors import NotFound
from erp.kernel.language import says
from erp.members import people
from erp.projects.projects import ProjectArchived
from erp.store import events
from erp.tasks import tasks
from erp.tasks.models import Task, TaskComment
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import Body, ListQuery, Page, View, show

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=10_000)]


class NewComment(Body):
    """A comment, which cannot be changed or deleted later."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"text": "The customer likes the second draft."}

    text: Text


class CommentFilter(ListQuery):
    sort: Literal["createdAt", "-createdAt"] = "-createdAt"


class AuthorView(View):
    """The author of a comment."""

    id: str
    name: str


class CommentView(View):
    """A comment."""

    id: str
    text: str
    author: AuthorView | None
    created_at: str


def of_many(comments: Sequence[TaskComment]) -> list[CommentView]:
    names = people.names([comment.created_by for comment in comments if comment.created_by])
    return [_view(comment, names) for comment in comments]


def view(comment: TaskComment) -> CommentView:
    """The view of a comment, with the name of its author."""
    (shown,) = of_many([comment])
    return shown


def _view(comment: TaskComment, names: Mapping[str, str]) -> CommentView:
    author_id = comment.created_by
    author = AuthorView(id=author_id, name=names.get(author_id, "")) if author_id else None
    return show(CommentView, comment, author=author)


def add(task_id: str, new: NewComment) -> TaskComment:
    """Comment on a task.

    Raises:
        NotFound: there is no such task in this workspace.
        ProjectArchived: the project must be unarchived first.
    """
    task = Task.find_to_change(task_id)
    tasks.project_in_use(task)
    comment = TaskComment.add(task=task, text=new.text)
    events.write("task.commented", "task", task_id, tasks.event_data(task, commentId=comment.id))
    return comment


def find(task_id: str, id: str) -> TaskComment:
    """One comment on a task.

    Raises:
        NotFound: there is no such task in this workspace, or no such comment on it.
    """
    comment = TaskComment.find(id)
    if comment.task_id != Task.find(task_id).id:
        raise NotFound(says("There is no such comment."))
    return comment


def of_task(task_id: str, query: CommentFilter) -> Page[CommentView]:
    """The comments on a task.

    Raises:
        NotFound: there is no such task in this workspace.
    """
    task = Task.find(task_id)
    comments = TaskComment.select().where(TaskComment.task == task)
    return page(comments, query, views=of_many, sort=query.sort)


class OfTask:
    @endpoint(permission="tasks.read")
    def on_get(self, id: str, query: CommentFilter) -> Page[CommentView]:
        """List the comments on a task, the newest first.

        Any member who can read the task can read them. A comment is never changed or deleted.
        """
        return of_task(id, query)

    @endpoint(permission="tasks.write_own", status=201, refuses=(ProjectArchived,))
    def on_post(self, id: str, body: NewComment) -> CommentView:
        """Comment on a task, also one that is assigned to others.

        A comment cannot be changed or deleted later.
        """
        return view(add(id, body))


class Item:
    @endpoint(permission="tasks.read")
    def on_get(self, id: str, comment_id: str) -> CommentView:
        """Show a comment on a task.

        Any member who can read the task can read it.
        """
        return view(find(id, comment_id))
