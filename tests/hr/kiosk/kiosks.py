"""Kiosks: set one up, give people a PIN, and come and go."""

from tests.hr.attendance.records import employee_at_work


class Kiosk:
    """A tablet on a wall."""

    def __init__(self, office, made):
        self.installation, self.id, self.token = office.installation, made["id"], made["token"]

    def call(self, verb, path, body=None, **headers):
        """Send a request with the token of the kiosk."""
        named = {"Authorization": f"Bearer {self.token}", **headers}
        return self.installation.call(verb, path, body, headers=named)

    def people(self):
        """The people on the screen: name and whether they are in."""
        answer = self.call("GET", "/kiosk/people")
        assert answer.status_code == 200, answer.text
        return [(one["name"], one["isIn"]) for one in answer.json["data"]]

    def clock(self, employee_id, pin="4711", at=None, **headers):
        """Come or go; the whole answer."""
        body = {"employeeId": employee_id, "pin": pin, **({"at": at} if at else {})}
        return self.call("POST", "/kiosk/clock", body, **headers)

    def clocked(self, employee_id, **given):
        """Come or go: what the kiosk shows."""
        answer = self.clock(employee_id, **given)
        assert answer.status_code == 200, answer.text
        return answer.json["data"]

    def refused(self, employee_id, **given):
        """The status and the code of the refusal of a clocking."""
        answer = self.clock(employee_id, **given)
        return answer.status_code, answer.json["error"]["code"]


def set_up(office, name="Entrance", **fields):
    """A new kiosk of an office."""
    return Kiosk(office, office.ok("POST", "/hr/kiosks", {"name": name, **fields}))


def with_pin(office, name="Mia Tanner", pin="4711", **fields):
    """Hire someone and give them a PIN; the employee's id."""
    id = employee_at_work(office, name, **fields)
    office.ok("PUT", f"/hr/employees/{id}/kiosk-pin", {"pin": pin})
    return id
