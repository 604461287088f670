"""The installation: how it is, who its users are, its backups; for the instance admin alone."""

from erp.system import info, qr, users
from erp.system.backups import api as backup_responders

ROUTES: dict[str, object] = {
    "/system/backups": backup_responders.Collection(),
    "/system/backups/{name}": backup_responders.Item(),
    "/system/backups/{name}/restore": backup_responders.Restore(),
    "/system/backups/{name}/verify": backup_responders.Verify(),
    "/system/info": info.Info(),
    "/system/qr": qr.Code(),
    "/system/users": users.Collection(),
    "/system/users/{id}": users.Item(),
}
