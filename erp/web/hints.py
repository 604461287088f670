"""The types of fields, as bodies, queries and views declare them."""

import types
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import UnsetType


def hints(kind: Any) -> dict[str, Any]:
    """The types of a struct's fields by their JSON names, also for a list of structs; empty for any other type."""
    inner = peeled(kind)
    if get_origin(inner) is list:
        inner = peeled(get_args(inner)[0])
    return _of_struct(inner) if isinstance(inner, type) and issubclass(inner, msgspec.Struct) else {}


@cache
def _of_struct(kind: type[msgspec.Struct]) -> dict[str, Any]:
    by_name = get_type_hints(kind, include_extras=True)
    return {field.encode_name: by_name[field.name] for field in msgspec.structs.fields(kind)}


def without_none(hint: Any) -> Any:
    """The type without None."""
    if hasattr(hint, "__metadata__"):
        return Annotated[(without_none(hint.__origin__), *hint.__metadata__)]
    if get_origin(hint) in (Union, types.UnionType):
        return Union[tuple(arg for arg in get_args(hint) if arg is not type(None))]  # noqa: UP007 - made at run time
    return hint


def takes_none(hint: Any) -> bool:
    """Whether null can be sent."""
    union = hint.__origin__ if hasattr(hint, "__metadata__") else hint
    is_union = get_origin(union) in (Union, types.UnionType)
    return is_union and any(part is type(None) or takes_none(part) for part in get_args(union))


def may_be_left_out(hint: Any) -> bool:
    """Whether a field may be absent."""
    return hint is UnsetType or any(map(may_be_left_out, get_args(hint)))


def struct_in(hint: Any) -> type[msgspec.Struct] | None:
    """The struct among the types that a field takes, if any."""
    if get_origin(hint) in (Union, types.UnionType) or hasattr(hint, "__metadata__"):
        return next(filter(None, map(struct_in, get_args(hint))), None)
    return hint if isinstance(hint, type) and issubclass(hint, msgspec.Struct) else None


def peeled(hint: Any) -> Any:
    """The type inside `Annotated[…]` and `… | None | Unset`."""
    while True:
        if get_origin(hint) in (Union, types.UnionType):
            (hint,) = [arg for arg in get_args(hint) if arg not in (type(None), UnsetType)][:1] or [None]
        elif hasattr(hint, "__metadata__"):
            hint = hint.__origin__
        else:
            return hint
