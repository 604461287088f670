"""Kinds of documents that can be shared. The areas make them, and `erp.app` registers them."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import cast

import msgspec

from erp.share_links.bodies import Form, SharedAcceptance, SharedDecline, SharedDocument
from erp.share_links.models import ShareLink, SubjectType
from erp.web.schema import File


class Answers(msgspec.Struct, frozen=True):
    """The answers that a receiver can give; each opens the file itself."""

    accept: Callable[[str, SharedAcceptance], None]
    decline: Callable[[str, SharedDecline], None]


class Subject(msgspec.Struct, frozen=True):
    """A kind of document.

    Attributes:
        check: refuse a document that cannot be shared, with the workspace's file open; else its last day, from which
            a link counts.
        view: its view for the receiver, with the ids of the lines they choose; it opens the file itself.
        file: a file of it; it opens the file itself.
        answers: None where the receiver is asked nothing.
    """

    check: Callable[[str], date]
    view: Callable[[str, Sequence[str]], SharedDocument]
    file: Callable[[str, Form], File]
    answers: Answers | None = None


SUBJECTS: dict[SubjectType, Subject] = {}


def of(link: ShareLink) -> Subject:
    return SUBJECTS[cast(SubjectType, link.subject_type)]
