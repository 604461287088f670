"""The texts of papers and mail of a workspace: a table of its own texts, ours where it has none, and their API."""

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET
from peewee import TextField as TextColumn

from erp.kernel import places
from erp.kernel.complaints import Complaints
from erp.kernel.errors import NotFound, VersionMismatch
from erp.kernel.language import LANGUAGES, Language, Noun, says, translated
from erp.kernel.wire import wire_name
from erp.store import changes, events
from erp.store.records import WorkspaceRecord
from erp.store.router import WORKSPACE
from erp.texts.kinds import FIELDS, KINDS, ON_PAPER, OURS, PLACES, WITHOUT_PAPER, TextField, TextKind
from erp.web.endpoint import endpoint
from erp.web.schema import Body, Unset, View


class OfficeText(WorkspaceRecord):
    """The texts of a kind in a language, as far as the workspace has changed them; null is ours, "" is none."""

    noun = Noun("text")

    kind = TextColumn()
    language = TextColumn()
    mail_subject = TextColumn(null=True)
    mail_text = TextColumn(null=True)
    intro = TextColumn(null=True)
    closing = TextColumn(null=True)


class NoSuchText(NotFound):
    """There are no such texts. Choose a kind and a language of the list."""


class UnchangedText(NotFound):
    """These texts are ours already."""


PaperText = Annotated[str, msgspec.Meta(max_length=4000)]


class TextChange(Body):
    """Texts to change; null is ours again, and an empty `intro` or `closing` prints none."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"closing": "Thank you for your order, {customer}."}

    mail_subject: Annotated[str, msgspec.Meta(min_length=1, max_length=200)] | Unset | None = UNSET
    mail_text: Annotated[str, msgspec.Meta(min_length=1, max_length=10_000)] | Unset | None = UNSET
    intro: Annotated[PaperText, msgspec.Meta(description="Above the lines of the paper.")] | Unset | None = UNSET
    closing: Annotated[PaperText, msgspec.Meta(description="Below the totals of the paper.")] | Unset | None = UNSET


class TextView(View):
    """The texts of a kind in a language, ours included."""

    kind: TextKind
    language: Language
    version: Annotated[int, msgspec.Meta(description="0 until the workspace changes them.")]
    mail_subject: str | None
    mail_text: str | None
    intro: str | None
    closing: str | None
    own: Annotated[list[str], msgspec.Meta(description="The names of the fields that the workspace has changed.")]
    places: Annotated[list[str], msgspec.Meta(description="The places that these texts may have.")]
    has_paper: Annotated[bool, msgspec.Meta(description="Whether `intro` and `closing` are printed.")]


def find(kind: TextKind, field: TextField, language: str) -> str | None:
    """The text of a kind in a language, with its places; None if there is none."""
    known: Language = "de" if language == "de" else "en"
    own = getattr(_own().get((kind, known)), field, None)
    text = _ours(kind, field, known) if own is None else own
    return text or None


def _ours(kind: TextKind, field: TextField, language: Language) -> str | None:
    sentence = OURS[kind].get(field)
    return None if sentence is None else translated(sentence, language)


def _own() -> dict[tuple[str, str], OfficeText]:
    rows = WORKSPACE.memo("texts", lambda: OfficeText.fetch("SELECT * FROM office_text"))
    return {(row.kind, row.language): row for row in rows}


def view(kind: TextKind, language: Language) -> TextView:
    """The texts of a kind in a language."""
    own = _own().get((kind, language))
    has_paper = kind not in WITHOUT_PAPER
    return TextView(
        kind=kind,
        language=language,
        version=0 if own is None else own.version,
        **{field: find(kind, field, language) for field in FIELDS},
        own=[wire_name(field) for field in FIELDS if getattr(own, field, None) is not None],
        places=list(PLACES[kind]),
        has_paper=has_paper,
    )


def change(kind: TextKind, language: Language, body: TextChange) -> None:
    """Change the texts of a kind in a language.

    Raises:
        Invalid: a text has a place that the kind does not have, or the kind has no paper.
    """
    row = _to_change(kind, language)
    sent = body.changes()
    _check(kind, sent)
    if row is None:
        row = OfficeText.add(kind=kind, language=language, **sent)
    elif values := changes.differing(row, sent):
        row.change(**values)
    else:
        return
    WORKSPACE.forget("texts")
    events.write("text.updated", "text", row.id, _event_data(row) | {"changed": [wire_name(name) for name in sent]})


def _check(kind: TextKind, sent: dict[str, Any]) -> None:
    complaints = Complaints()
    for field, text in sent.items():
        if field in ON_PAPER and kind in WITHOUT_PAPER and text:
            complaints.add(wire_name(field), "not_needed", says("This kind has no paper. Clear the field."))
        complaints.items += places.misfits(text, PLACES[kind], wire_name(field))
    complaints.refuse()


def reset(kind: TextKind, language: Language) -> None:
    """Take our texts again.

    Raises:
        UnchangedText: they are ours.
    """
    row = _to_change(kind, language)
    if row is None:
        raise UnchangedText
    row.delete_instance()
    WORKSPACE.forget("texts")
    events.write("text.deleted", "text", row.id, _event_data(row))


def _to_change(kind: TextKind, language: Language) -> OfficeText | None:
    row = OfficeText.find_by(kind=kind, language=language)
    (row or OfficeText(version=0)).check_version()
    return row


def _event_data(row: OfficeText) -> dict[str, Any]:
    return {"kind": row.kind, "language": row.language}


def _refer(kind: str, language: str) -> tuple[TextKind, Language]:
    if kind not in KINDS or language not in LANGUAGES:
        raise NoSuchText
    return kind, language


class Collection:
    @endpoint(permission="workspace.read")
    def on_get(self) -> list[TextView]:
        """List the texts of papers and mail by kind, in English and German.

        Texts that the workspace has not changed are ours. `{number}` and the like are places for values; `{{` is a
        brace. A place without a value leaves no gap.
        """
        return [view(kind, language) for kind in KINDS for language in LANGUAGES]


class Item:
    @endpoint(permission="workspace.read", refuses=(NoSuchText,))
    def on_get(self, kind: str, language: str) -> TextView:
        """Show the texts of a kind in a language.

        Those that the workspace has not changed are ours.
        """
        return view(*_refer(kind, language))

    @endpoint(permission="workspace.write", refuses=(NoSuchText, VersionMismatch))
    def on_patch(self, kind: str, language: str, body: TextChange) -> TextView:
        """Change the texts of a kind in a language.

        Null is ours again. A place that the kind does not have is refused (422 `unknown_place`), with the list of
        those that it has. Issued documents keep their texts.
        """
        chosen = _refer(kind, language)
        change(*chosen, body)
        return view(*chosen)

    @endpoint(permission="workspace.write", refuses=(NoSuchText, UnchangedText, VersionMismatch))
    def on_delete(self, kind: str, language: str) -> None:
        """Take our texts of a kind in a language again.

        Where nothing was changed the answer is a 404 `unchanged_text`.
        """
        reset(*_refer(kind, language))
