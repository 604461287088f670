"""The bell of the webhooks, which watches the files of workspaces that have had one."""

from erp.delivery.waking import Bell

BELL = Bell()
