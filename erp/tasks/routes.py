"""Tasks, the board, comments, time logs and timers."""

from erp.tasks import calendar_address, comments, task_views, time_log_views, timer_views

ROUTES: dict[str, object] = {
    "/tasks": task_views.Collection(),
    "/tasks/reorder": task_views.Reorder(),
    "/tasks/calendar-address": calendar_address.Address(),
    "/tasks/calendar/{secret}": calendar_address.Feed(),
    "/tasks/time-logs": time_log_views.Collection(),
    "/tasks/time-logs/import": time_log_views.Import(),
    "/tasks/time-logs/{id}": time_log_views.Item(),
    "/tasks/timer": timer_views.Running(),
    "/tasks/timer/stop": timer_views.Stop(),
    "/tasks/{id}": task_views.Item(),
    "/tasks/{id}/comments": comments.OfTask(),
    "/tasks/{id}/comments/{comment_id}": comments.Item(),
    "/tasks/{id}/time-logs": time_log_views.OfTask(),
    "/tasks/{id}/timer/start": timer_views.Start(),
}
