"""The mail server of a workspace, and its refusals: without the libraries that talk to it."""

from typing import NamedTuple

from erp.mail.models import Problem
from erp.mail.tries import Outcome


class Server(NamedTuple):
    """The mail server of a workspace, as its settings name it; `version` is theirs."""

    version: int
    host: str
    port: int
    security: str
    user_name: str | None
    password: str | None
    domain: str
    certificate: str | None


class Failed(Exception):
    """The message was not handed over, which is certain."""

    def __init__(self, problem: Problem, reply: str | None = None, *, is_final: bool, ends: bool = True) -> None:
        """Say why; with `is_final` it is not tried again, and `ends` says that the connection is of no more use."""
        super().__init__(problem)
        self.problem, self.reply, self.is_final, self.ends = problem, reply, is_final, ends

    @property
    def outcome(self) -> Outcome:
        return Outcome("failed" if self.is_final else "waiting", self.problem, self.reply)
