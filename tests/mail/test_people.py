"""What goes out to people: invites, links to set a password, payslips."""

import io

import pypdf
import pytest

from erp.mail import sealing
from erp.system.transfer import duplicating
from tests.hr.payroll.payrolls import paid_employee, payroll_run, payslip_of
from tests.mail.mailbox import MESSAGES, deliver, set_up, shown


def test_an_invite_goes_out_with_a_fresh_link_at_each_try(office, box):
    set_up(office, box)
    new = {"email": "anna@new.example", "role": "member", "send": True}
    invite = office.ok("POST", "/workspace/invites", new)
    assert (invite["token"], invite["acceptUrl"]) == (None, None)
    (message,) = office.ok("GET", f"{MESSAGES}?kind=invite")
    assert "{link}" in message["text"]
    box.replies = {"DATA": "452 full"}
    deliver(office)
    assert shown(office, message)["status"] == "waiting"
    office.ok("POST", f"{MESSAGES}/{message['id']}/cancel")
    box.replies = {}
    again = office.ok("POST", f"/workspace/invites/{invite['id']}/send", {})
    deliver(office)
    text = box.received[0].text
    token = text.split("#invite=")[1].split()[0]
    assert office.installation.call("POST", "/workspace/invites/preview", {"token": token}).status_code == 200
    assert token not in str(shown(office, again))
    prepared = office.ok("POST", f"/workspace/invites/{invite['id']}/send", {"via": "eml", "force": True})
    office.call("GET", f"{MESSAGES}/{prepared['id']}/eml")
    assert office.installation.call("POST", "/workspace/invites/preview", {"token": token}).status_code == 404
    office.ok("POST", f"/workspace/invites/{invite['id']}/send", {"force": True})
    office.ok("DELETE", f"/workspace/invites/{invite['id']}")
    deliver(office)
    (last, *_) = office.ok("GET", f"{MESSAGES}?kind=invite")
    assert (last["status"], last["problem"]) == ("failed", "link_ended")
    office.refused("POST", f"/workspace/invites/{invite['id']}/send", {}, status=409, code="invalid_transition")


def test_a_password_reset_goes_out_by_the_mail_of_the_office(office, box):
    set_up(office, box)
    anna = office.colleague("member")
    message = office.ok("POST", "/auth/password-resets/send", {"userId": anna.user["id"]})
    deliver(office)
    token = box.received[0].text.split("#reset=")[1].split()[0]
    assert box.received[0].recipients == [anna.email]
    assert token not in str(shown(office, message))
    preview = office.installation.call("POST", "/auth/password-resets/preview", {"token": token})
    assert preview.json["data"]["email"] == anna.email
    office.colleague("admin").refused(
        "POST", "/auth/password-resets/send", {"userId": anna.user["id"]}, status=403, code="forbidden"
    )


def test_no_mail_server_of_someone_else_sees_the_link_to_set_a_password(office, box):
    """An admin of the workspace points its mail at a server of their own, and waits for the link of a colleague."""
    set_up(office, box)
    admin, anna = office.colleague("admin"), office.colleague("member")
    body = {"userId": anna.user["id"]}
    office.ok("POST", "/auth/password-resets/send", body)
    set_up(admin, box, fromName="Acme")
    deliver(office)
    (message,) = office.ok("GET", f"{MESSAGES}?kind=password_reset")
    assert (message["status"], message["problem"], box.received) == ("failed", "server_untrusted", [])
    again = {**body, "force": True}
    office.refused("POST", "/auth/password-resets/send", again, status=409, code="mail_server_untrusted")
    retried = office.ok("POST", f"{MESSAGES}/{message['id']}/retry")
    deliver(office)
    assert (shown(office, retried)["problem"], box.received) == ("server_untrusted", [])
    assert office.ok("POST", "/auth/password-resets/send", {**again, "via": "eml"})["status"] == "prepared"
    set_up(office, box, fromName="Acme")
    office.ok("POST", "/auth/password-resets/send", again)
    deliver(office)
    assert [received.recipients for received in box.received] == [[anna.email]]


def test_a_secret_link_is_only_for_those_who_may_give_its_right(office, box):
    admin, anna = office.colleague("admin"), office.colleague("member")
    invite = office.ok("POST", "/workspace/invites", {"email": "ben@new.example", "role": "owner", "send": True})
    office.ok("POST", "/auth/password-resets/send", {"userId": anna.user["id"]})
    path = f"/workspace/invites/{invite['id']}/send"
    admin.refused("POST", path, {"to": [admin.email], "force": True}, status=403, code="forbidden")
    messages = {message["kind"]: message for message in office.ok("GET", MESSAGES)}
    assert messages.keys() == {"invite", "password_reset"}
    for message in messages.values():
        eml = f"{MESSAGES}/{message['id']}/eml"
        admin.refused("GET", eml, status=403, code="forbidden")
        assert admin.ok("GET", f"{MESSAGES}/{message['id']}")["can"] == []
        assert office.call("GET", eml).status_code == 200
    with office.acting():
        copy_id, _ = duplicating.duplicate(office.workspace_id)
    original = office.workspace_id
    office.select(copy_id)
    office.refused("GET", f"{MESSAGES}/{messages['invite']['id']}/eml", status=404)
    office.select(original)
    set_up(office, box, copyTo="copy@acme.example")
    office.ok("POST", path, {"force": True})
    office.ok("POST", "/auth/password-resets/send", {"userId": anna.user["id"], "force": True})
    deliver(office)
    assert [received.recipients for received in box.received] == [["ben@new.example"], [anna.email]]


def test_an_invite_to_an_address_that_takes_no_mail_is_not_made(office):
    new = {"email": "bün@new.example", "role": "member", "send": True}
    error = office.refused("POST", "/workspace/invites", new, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("email", "bad_address")]
    assert office.ok("GET", "/workspace/invites") == []


@pytest.fixture
def payslip(office):
    """The payslip of Ann, of a drafted run."""
    ann = paid_employee(office, "Ann", email="ann@private.example")
    run = payroll_run(office)
    return payslip_of(run, ann) | {"runId": run["id"]}


def test_a_payslip_is_announced_without_figures_or_sent_under_its_password(office, box, payslip):
    set_up(office, box)
    path, run = f"/hr/payroll/payslips/{payslip['id']}/send", f"/hr/payroll/runs/{payslip['runId']}"
    office.refused("POST", path, {}, status=409, code="invalid_transition")
    office.ok("POST", f"{run}/approve", {})
    (message,) = office.ok("POST", f"{run}/send", {})["messages"]
    assert (message["attachments"], payslip["net"] in message["text"]) == ([], False)
    employee = f"/hr/employees/{payslip['employeeId']}"
    attached = {"payslipMail": "attached"}
    error = office.refused("PATCH", employee, attached, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("payslipPassword", "no_password")]
    changed = office.ok("PATCH", employee, attached | {"payslipPassword": "Übers Meer 7"})
    assert (changed["hasPayslipPassword"], "payslipPassword" in changed) == (True, False)
    office.refused("PATCH", employee, {"payslipPassword": None}, status=422)
    with office.books(write=True):  # as in a copy that another installation has opened
        sealing.keep(payslip["employeeId"], None)
    error = office.refused("POST", path, {"force": True}, status=422)
    assert error["details"][0]["code"] == "no_password"
    assert office.ok("PATCH", employee, {"phone": "1"})["payslipMail"] == "attached"
    office.ok("PATCH", employee, {"payslipPassword": "Übers Meer 7"})
    office.ok("POST", path, {"force": True})
    deliver(office)
    (file,) = box.received[-1].mail.iter_attachments()
    reader = pypdf.PdfReader(io.BytesIO(file.get_content()))
    assert reader.decrypt("wrong") == pypdf.PasswordType.NOT_DECRYPTED
    assert reader.decrypt("Übers Meer 7") == pypdf.PasswordType.USER_PASSWORD
    assert "Ann" in reader.pages[0].extract_text()
    office.ok("PATCH", employee, {"payslipMail": "none"})
    office.refused("POST", path, {"force": True}, status=422)
    assert office.ok("POST", f"{run}/send", {"force": True})["messages"] == []
    assert office.colleague("viewer").ok("GET", MESSAGES) == []
