"""The installation: its state, its users, its backups; for the instance admin alone."""

from erp.system import info, qr, users
from erp.system.backups import api as backups

ROUTES: dict[str, object] = {
    "/system/backups": backups.Collection(),
    "/system/backups/{name}": backups.Item(),
    "/system/backups/{name}/restore": backups.Restore(),
    "/system/backups/{name}/verify": backups.Verify(),
    "/system/info": info.Info(),
    "/system/qr": qr.Code(),
    "/system/users": users.Collection(),
    "/system/users/{id}": users.Item(),
}
