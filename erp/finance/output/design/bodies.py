"""Request bodies of the design of papers."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta

from erp.finance.output.design.designs import Layout
from erp.kernel import places
from erp.kernel.errors import Complaint
from erp.kernel.language import Language, Sentence, says
from erp.kernel.paper import colors
from erp.texts.kinds import PLACES, WITHOUT_PAPER, TextKind
from erp.texts.texts import PaperText
from erp.web.scalars import shaped
from erp.web.schema import Body, Query, Unset
from erp.web.transport.uploads import Upload

AccentColor = Annotated[
    str,
    shaped(
        "^#[0-9A-Fa-f]{6}$",
        says("Must be a color, such as #2f855a."),
        description="Of titles and lines; its contrast to white must be at least 4.5.",
        examples=["#165268"],
    ),
]
TopMm = Annotated[
    int,
    Meta(
        ge=10,
        le=120,
        description="Millimetres at the top of each page that stay free for the letterhead. The address stays in the"
        " window of the envelope, or below.",
    ),
]
HasOfficeHead = Annotated[
    bool, Meta(description="Whether we print the office's name or logo and its particulars at the top and the foot.")
]


class PaperChange(Body):
    """Changes to the design of papers; omitted fields stay."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"layout": "modern", "accentColor": "#7A1F3D"}

    layout: Layout | Unset = UNSET
    accent_color: AccentColor | Unset = UNSET
    top_mm: TopMm | Unset = UNSET
    has_office_head: HasOfficeHead | Unset = UNSET

    def check(self) -> Iterator[Complaint]:
        color = self.accent_color
        if isinstance(color, str) and not colors.is_legible(color):
            message = says(
                "The contrast to white is {contrast}. Choose a darker colour, with at least {least}.",
                contrast=colors.contrast_text(color),
                least="4.5",
            )
            yield Complaint("accentColor", "low_contrast", message)


NO_PAPER = ("no_paper", says("This kind has no paper."))


class PaperPreview(PaperChange):
    """A paper of made-up data, with changes that are not saved."""

    EXAMPLE: ClassVar[dict[str, Any]] = {"kind": "invoice", "language": "de", "layout": "modern"}

    kind: TextKind = "invoice"
    language: Language = "en"
    intro: PaperText | Unset | None = UNSET
    closing: PaperText | Unset | None = UNSET

    def check(self) -> Iterator[Complaint]:
        yield from super().check()
        if self.kind in WITHOUT_PAPER:
            yield Complaint("kind", *NO_PAPER)
        elif isinstance(self.kind, str):
            yield from places.misfits(self.intro, PLACES[self.kind], "intro")
            yield from places.misfits(self.closing, PLACES[self.kind], "closing")


class PreviewQuery(Query):
    """The same as parameters; those that are left out are as saved, and any colour is shown."""

    kind: TextKind = "invoice"
    language: Annotated[Language, Meta(description="The language of the paper.")] = "en"
    layout: Annotated[Layout | None, Meta(description="As saved when absent, as are all others.")] = None
    accent_color: AccentColor | None = None
    top_mm: TopMm | None = None
    has_office_head: HasOfficeHead | None = None

    def check(self) -> Iterator[Complaint]:
        if self.kind in WITHOUT_PAPER:
            yield Complaint("kind", *NO_PAPER)

    def given(self) -> dict[str, Any]:
        """The parameters that there are."""
        return {name: value for name in self.__struct_fields__ if (value := getattr(self, name)) is not None}


class NewLetterhead(Body):
    """A letterhead."""

    UPLOAD: ClassVar[bool] = True
    SMALLER: ClassVar[Sentence] = says("Send the file itself as the body, or in a form. It may have up to 2 MiB.")
    EXAMPLE: ClassVar[dict[str, Any]] = {"file": "JVBERi0xLjcK"}

    file: Upload
    name: Annotated[str, Meta(max_length=200, description="Name of the file; it is not kept.")] | None = None
