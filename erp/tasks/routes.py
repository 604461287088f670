"""Tasks, the board, comments, time logs and timers."""

from erp.tasks import api, calendar_address, comments, duplicate_project, rate_history, tags
from erp.tasks.time import api as time_api

ROUTES: dict[str, object] = {
    "/projects/{id}/duplicate": duplicate_project.Resource(),
    "/tasks": api.Collection(),
    "/tasks/batch": api.Batch(),
    "/tasks/batch/change": api.BatchChange(),
    "/tasks/import": api.Import(),
    "/tasks/reorder": api.Reorder(),
    "/tasks/tags": tags.Collection(),
    "/tasks/calendar-address": calendar_address.Address(),
    "/tasks/calendar/{secret}": calendar_address.Feed(),
    "/tasks/time-logs": time_api.Collection(),
    "/tasks/time-logs/import": time_api.Import(),
    "/tasks/time-logs/week": time_api.Week(),
    "/tasks/time-logs/{id}": time_api.Item(),
    "/tasks/timer": time_api.RunningTimer(),
    "/tasks/timer/stop": time_api.StopTimer(),
    "/tasks/{id}": api.Item(),
    "/tasks/{id}/archive": api.Archive(),
    "/tasks/{id}/unarchive": api.Unarchive(),
    "/tasks/{id}/comments": comments.OfTask(),
    "/tasks/{id}/comments/{comment_id}": comments.Item(),
    "/tasks/{id}/rates": rate_history.OfTask(),
    "/tasks/{id}/rates/{rate_id}": rate_history.Item(),
    "/tasks/{id}/time-logs": time_api.OfTask(),
    "/tasks/{id}/timer/start": time_api.StartTimer(),
}
