"""Registration, signing in and out, sessions, tokens and password resets."""

from erp.auth import calendar_addresses, current, me, named_tokens, preferences, register, resets, sessions, sign_in
from erp.auth.two_factor import api as two_factor

ROUTES: dict[str, object] = {
    "/auth/register": register.Register(),
    "/auth/register/preview": register.Preview(),
    "/auth/sign-in/email": sign_in.SignIn(),
    "/auth/login": sign_in.SignIn(),
    "/auth/logout": sign_in.SignOut(),
    "/auth/select-workspace": current.SelectWorkspace(),
    "/auth/session": current.Current(),
    "/auth/me": me.Me(),
    "/auth/preferences": preferences.Preferences(),
    "/auth/two-factor": two_factor.State(),
    "/auth/two-factor/setup": two_factor.Setup(),
    "/auth/two-factor/confirm": two_factor.Confirm(),
    "/auth/two-factor/recovery-codes": two_factor.RecoveryCodes(),
    "/auth/two-factor/disable": two_factor.Off(),
    "/auth/change-password": me.Password(),
    "/auth/sessions": sessions.Collection(),
    "/auth/sessions/{id}": sessions.Item(),
    "/auth/calendar-addresses": calendar_addresses.Collection(),
    "/auth/calendar-addresses/{id}": calendar_addresses.Item(),
    "/auth/tokens": named_tokens.Collection(),
    "/auth/tokens/{id}": named_tokens.Item(),
    "/auth/password-resets": resets.Collection(),
    "/auth/password-resets/preview": resets.Preview(),
    "/auth/password-resets/redeem": resets.Redeem(),
}
