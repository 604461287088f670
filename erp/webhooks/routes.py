"""Webhooks: events of a workspace, sent to other programs."""

from erp.webhooks import api

ROUTES: dict[str, object] = {
    "/workspace/webhooks": api.Collection(),
    "/workspace/webhooks/{id}": api.Item(),
    "/workspace/webhooks/{id}/rotate-secret": api.Rotate(),
    "/workspace/webhooks/{id}/test": api.Test(),
    "/workspace/webhooks/{id}/deliveries": api.Deliveries(),
    "/workspace/webhooks/deliveries/{id}/redeliver": api.Redeliver(),
}
