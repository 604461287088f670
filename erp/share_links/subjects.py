"""Kinds of documents that can be shared. The areas make them, and `erp.app` registers them."""

from collections.abc import Callable
from datetime import date
from typing import cast

import msgspec

from erp.share_links.bodies import Form, SharedDocument
from erp.share_links.models import ShareLink, SubjectType
from erp.web.schema import File


class Subject(msgspec.Struct, frozen=True):
    """A kind of document.

    Attributes:
        check: refuse a document that cannot be shared, with the workspace's file open; else its last day, from which
            a link counts.
        view: its view for the receiver; it opens the file itself.
        file: a file of it; it opens the file itself.
    """

    check: Callable[[str], date]
    view: Callable[[str], SharedDocument]
    file: Callable[[str, Form], File]


SUBJECTS: dict[SubjectType, Subject] = {}


def of(link: ShareLink) -> Subject:
    return SUBJECTS[cast(SubjectType, link.subject_type)]
