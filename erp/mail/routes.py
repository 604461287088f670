"""Outgoing mail: the mail server, the messages, and invites and password resets by mail."""

from erp.mail import api, people

ROUTES: dict[str, object] = {
    "/workspace/mail": api.Settings(),
    "/workspace/mail/test": api.Test(),
    "/workspace/mail/resume": api.Resume(),
    "/workspace/messages": api.Messages(),
    "/workspace/messages/{id}": api.Item(),
    "/workspace/messages/{id}/cancel": api.Cancel(),
    "/workspace/messages/{id}/retry": api.Retry(),
    "/workspace/messages/{id}/confirm-sent": api.ConfirmSent(),
    "/workspace/messages/{id}/handed-over": api.HandedOver(),
    "/workspace/messages/{id}/discard": api.Discard(),
    "/workspace/messages/{id}/eml": api.Eml(),
    "/workspace/invites/{id}/send": people.SendInvite(),
    "/auth/password-resets/send": people.SendPasswordReset(),
}
