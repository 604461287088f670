"""Users' preferences: language, appearance, keys, and the state of each screen."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Literal, Self

import msgspec
from msgspec import UNSET, Meta

from erp.auth.me import Locale
from erp.kernel import caller
from erp.kernel.errors import Invalid, VersionMismatch
from erp.kernel.language import says
from erp.kernel.wire import own_text
from erp.store.control import Preference, User
from erp.web.endpoint import endpoint
from erp.web.schema import Body, RecordView, Unset, show

SCREENS_SIZE = 8192
"""The most bytes of JSON for all screens of a user together: each session answer carries them."""

Theme = Literal["system", "light", "dark"]
Kept = dict[str, Any] | list[dict[str, Any]]
ScreenName = Annotated[str, Meta(min_length=1, max_length=60)]
_JSON = msgspec.json.Encoder(enc_hook=own_text, decimal_format="number", order="sorted")


class PreferencesChange(Body):
    """Changes to the caller's preferences; fields that are left out stay."""

    EXAMPLE: ClassVar[dict[str, Any]] = {
        "locale": "de-AT",
        "theme": "dark",
        "singleKeys": False,
        "screens": {"invoices": {"columns": ["number", "customerName", "total"]}},
    }

    locale: Locale | Unset = UNSET
    theme: Theme | Unset = UNSET
    single_keys: Annotated[bool, Meta(description="Whether single letters are commands of a screen.")] | Unset = UNSET
    screens: (
        Annotated[
            dict[ScreenName, Kept | None],
            Meta(
                description="What screens keep, by their name: any object or list of objects, which replaces what the "
                "screen kept before. Null forgets it; screens that are left out stay. Together they take "
                f"{SCREENS_SIZE} bytes at most."
            ),
        ]
        | Unset
    ) = UNSET


class PreferencesView(RecordView):
    """A user's preferences, with the id of the user; `locale` is the user's."""

    locale: str
    theme: Theme
    single_keys: bool
    screens: dict[str, Kept]

    @classmethod
    def of(cls, preference: Preference, user: User) -> Self:
        return show(cls, preference, locale=user.locale, screens=json.loads(preference.screens))

    @classmethod
    def of_row(cls, row: Sequence[Any]) -> Self:
        """Show a row of `COLUMNS`."""
        *columns, single_keys, screens = row
        names = cls.__struct_fields__[: len(columns)]
        shown = dict(zip(names, columns, strict=True))
        return cls(**shown, single_keys=bool(single_keys), screens=msgspec.json.decode(screens))


COLUMNS = "p.id, p.version, p.created_at, p.updated_at, u.locale, p.theme, p.single_keys, p.screens"
"""The columns of a user `u` and their preferences `p`, in the order of the view's fields."""


def change(body: PreferencesChange) -> tuple[Preference, User]:
    """Change the caller's preferences, and the language of their user.

    Raises:
        Invalid: the screens would keep too much.
        VersionMismatch: another version was expected.
    """
    who = caller.current()
    preference, user = Preference.find_to_change(who.user_id), User.find(who.user_id)
    sent = body.changes()
    locale = sent.pop("locale", user.locale)
    if "screens" in sent:
        sent["screens"] = _merged(preference.screens, sent["screens"])
    changes = {name: value for name, value in sent.items() if getattr(preference, name) != value}
    if changes or locale != user.locale:
        preference.change(**changes)
    if locale != user.locale:
        user.change(locale=locale)
    return preference, user


def note_workspace(user_id: str, workspace_id: str) -> None:
    """Store the workspace that a user selects, for their next sign-in; their preferences do not change."""
    Preference.update(workspace_id=workspace_id).where(Preference.id == user_id).execute()


def _merged(stored: str, sent: dict[str, Kept | None]) -> str:
    screens = {name: value for name, value in {**json.loads(stored), **sent}.items() if value is not None}
    text = _JSON.encode(screens)
    if len(text) > SCREENS_SIZE:
        message = says(
            "All screens together can keep {most} bytes; this would be {size}.", most=SCREENS_SIZE, size=len(text)
        )
        raise Invalid.one("screens", "too_long", message)
    return text.decode()


class Preferences:
    """The caller's preferences."""

    @endpoint(access="user", store="control")
    def on_get(self) -> PreferencesView:
        """Show your preferences; `GET /auth/session` shows them as well.

        They belong to you, not to a workspace, and follow you to every browser.
        """
        user_id = caller.current().user_id
        return PreferencesView.of(Preference.find(user_id), User.find(user_id))

    @endpoint(access="user", store="control", session_only=True, refuses=(VersionMismatch,))
    def on_patch(self, body: PreferencesChange) -> PreferencesView:
        """Change your preferences. They hold on every device on which you sign in, in every workspace.

        `screens` is for the program that you sign in with: it keeps, say, which columns a list shows. `locale` is the
        one of `PATCH /auth/me`.
        """
        return PreferencesView.of(*change(body))
