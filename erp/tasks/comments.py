"""Comments: what people say about a task."""

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from erp.kernel import caller
from erp.kernel.errors import NotFound
from erp.members import people
from erp.projects.projects import ProjectArchived
from erp.store import events
from erp.tasks import tasks
from erp.tasks.models import Task, TaskComment
from erp.web.endpoint import endpoint
from erp.web.paging import page
from erp.web.schema import Body, ListQuery, Page, View

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=10_000)]


class NewComment(Body):
    """A comment; it can be neither changed nor deleted."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"text": "The customer likes the second draft."}

    text: Text


class CommentFilter(ListQuery):
    sort: Literal["createdAt", "-createdAt"] = "-createdAt"


class AuthorView(View):
    """Who said it."""

    id: str
    name: str


class CommentView(View):
    """A comment."""

    id: str
    text: str
    author: AuthorView | None
    created_at: str

    @classmethod
    def of(cls, comment: TaskComment) -> "CommentView":
        """The view of a comment whose author's name is still to be found."""
        author = AuthorView(id=comment.created_by, name="") if comment.created_by else None
        return cls(id=comment.id, text=comment.text, author=author, created_at=comment.created_at)


def add(task_id: str, new: NewComment) -> TaskComment:
    """Comment on a task.

    Raises:
        NotFound: there is no such task in this workspace.
        ProjectArchived: the task can only be read.
    """
    task = tasks.find_to_change(task_id)
    comment = TaskComment.add(task=task, text=new.text)
    events.write("task.commented", "task", task_id, tasks.named(task, commentId=comment.id))
    return comment


def find(task_id: str, id: str) -> CommentView:
    """One comment on a task.

    Raises:
        NotFound: there is no such task in this workspace, or no such comment on it.
    """
    comment = TaskComment.find(id)
    if comment.task_id != Task.find(task_id).id:
        raise NotFound("There is no such comment.")
    return _named([CommentView.of(comment)])[0]


def of_task(task_id: str, query: CommentFilter) -> Page[CommentView]:
    """What was said about a task.

    Raises:
        NotFound: there is no such task in this workspace.
    """
    task = Task.find(task_id)
    found = page(TaskComment.select().where(TaskComment.task == task), query, CommentView.of, sort=query.sort)
    _named(found.items)
    return found


def _named(comments: Sequence[CommentView]) -> Sequence[CommentView]:
    """The same comments, with the names of their authors."""
    authors = [comment.author for comment in comments if comment.author]
    names = people.names([author.id for author in authors])
    for author in authors:
        author.name = names.get(author.id, "")
    return comments


class OfTask:
    @endpoint(permission="tasks.read")
    def on_get(self, id: str, query: CommentFilter) -> Page[CommentView]:
        """List what was said about a task, the newest first."""
        return of_task(id, query)

    @endpoint(permission="tasks.write", status=201, refuses=(ProjectArchived,))
    def on_post(self, id: str, body: NewComment) -> CommentView:
        """Comment on a task.

        What was said stays: it can be neither changed nor deleted.
        """
        shown = CommentView.of(add(id, body))
        shown.author = AuthorView(id=caller.current().user_id, name=caller.current().name)
        return shown


class Item:
    @endpoint(permission="tasks.read")
    def on_get(self, id: str, comment_id: str) -> CommentView:
        """Show what was said about a task."""
        return find(id, comment_id)
