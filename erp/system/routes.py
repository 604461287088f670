"""The installation: its state, its users, its backups; for the instance admin alone."""

from erp.system import info, qr, sharing, users
from erp.system.backups import api as backups
from erp.system.transfer import duplicating, open_formats

ROUTES: dict[str, object] = {
    "/system/backups": backups.Collection(),
    "/system/backups/{name}": backups.Item(),
    "/system/backups/{name}/restore": backups.Restore(),
    "/system/backups/{name}/verify": backups.Verify(),
    "/system/info": info.Info(),
    "/system/qr": qr.Code(),
    "/system/sharing": sharing.Sharing(),
    "/workspace/{workspace_id}/duplicate": duplicating.Resource(),
    "/workspace/export": open_formats.Resource(),
    "/system/users": users.Collection(),
    "/system/users/{id}": users.Item(),
    "/system/users/{id}/reset-two-factor": users.TwoFactor(),
}
