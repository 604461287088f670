"""The roles, with their rights in words."""

from erp.kernel import roles
from erp.kernel.language import Sentence
from erp.kernel.roles import Permission, Role
from erp.web.endpoint import endpoint
from erp.web.schema import View, show


class RoleView(View):
    """A role, in words and by its permissions."""

    role: Role
    sentence: Sentence
    sees: list[Sentence]
    changes: list[Sentence]
    permissions: list[Permission]

    @classmethod
    def of(cls, role: Role) -> "RoleView":
        """Show a role."""
        return show(cls, roles.in_words(role), role=role, permissions=sorted(roles.PERMISSIONS[role]))


class Collection:
    @endpoint(permission="workspace.read", store="control")
    def on_get(self) -> list[RoleView]:
        """List the roles with what each sees and may change, the highest first.

        "They" is who has the role. An invite offers one of them.
        """
        return [RoleView.of(role) for role in roles.ROLES]
