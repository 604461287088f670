"""Members of an office, as the tests of this room name them."""


def member_id(office, person):
    """The id of a person's membership in an office."""
    return next(row["id"] for row in office.ok("GET", "/workspace/members") if row["user"]["id"] == person.user["id"])
