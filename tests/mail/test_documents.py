"""What goes out to customers: documents, quotes, reminders, statements."""

import pytest

from tests.finance.contacts.contacts import customer
from tests.finance.documents.invoices import credit, invoice, line
from tests.finance.dunning.reminders import LETTERS, RUNS, amounts, make, owed
from tests.finance.output.papers import consultancy, download, r1
from tests.finance.quotes import quotes
from tests.finance.soundness import problems
from tests.mail.mailbox import MESSAGES, deliver, set_up, shown

INVOICES = "/finance/invoices"


def made(office, **fields):
    """Nordlicht's invoice R-2026-0001 to Alster, in German."""
    return r1(consultancy(office), **fields)


RECIPIENTS = [
    {"email": "ap@alster.example", "kinds": ["invoice", "reminder"]},
    {"email": "cfo@alster.example", "kinds": ["statement"]},
]


def the_message_is_of_the_invoice(message, sold):
    assert message["subject"] == "Rechnung R-2026-0001"
    assert message["resource"] == {"type": "invoice", "id": sold["id"], "number": "R-2026-0001"}
    assert [each["address"] for each in message["to"]] == ["ap@alster.example"]
    assert "1.404,00 €" in message["text"]
    assert "19.01.2026" in message["text"]
    assert "{" not in message["text"]


def the_mail_carries_the_papers(office, received, sold):
    assert received.recipients == ["ap@alster.example", office.email]
    pdf, xml = received.mail.iter_attachments()
    assert pdf.get_content() == download(office, sold["id"], "pdf")
    assert b"R-2026-0001" in xml.get_payload(decode=True)


def the_message_is_not_sent_again(office, message):
    assert (shown(office, message)["status"], shown(office, message)["can"]) == ("failed", [])
    office.refused("POST", f"{MESSAGES}/{message['id']}/retry", status=409, code="invalid_transition")


def test_what_can_no_longer_be_sent_is_not_sent_again(office, box):
    set_up(office, box)
    box.replies = {"DATA": "554 no"}
    sold, offered = invoice(office, "100.00"), quotes.issued(office)
    paths = [f"{INVOICES}/{sold['id']}", f"/finance/quotes/{offered['id']}"]
    failed = [office.ok("POST", f"{path}/send", {"to": ["ap@alster.example"]}) for path in paths]
    deliver(office)
    assert [shown(office, message)["can"] for message in failed] == [["retry"]] * 2
    office.ok("POST", f"{paths[0]}/void")
    later = quotes.act(office, offered, "revise")
    quotes.act(office, later, "issue")
    for message in failed:
        the_message_is_not_sent_again(office, message)


def the_log_names_nobody(office):
    text = str(office.ok("GET", "/workspace/events"))
    assert "alster.example" not in text
    assert "Rechnung R-" not in text


def test_an_invoice_goes_out_as_the_paper_that_is_kept(office, box):
    sold = made(office, servicePeriod={"from": "2026-01-02", "to": "2026-01-04"})
    known = {"email": "office@alster.example", "recipients": RECIPIENTS}
    office.ok("PATCH", f"/finance/contacts/{sold['customerId']}", known)
    set_up(office, box)
    assert (sold["isSent"], sold["sentAt"], "send" in sold["can"]) == (False, None, True)
    composed = office.ok("POST", f"{INVOICES}/{sold['id']}/send", {"attach": "both", "dryRun": True})
    assert [file["mediaType"] for file in composed["attachments"]] == ["application/pdf", "application/xml"]
    assert office.ok("GET", MESSAGES) == []
    message = office.ok("POST", f"{INVOICES}/{sold['id']}/send", {"attach": "both", "copyToSelf": True})
    the_message_is_of_the_invoice(message, sold)
    office.refused("POST", f"{INVOICES}/{sold['id']}/send", {}, status=409, code="just_sent")
    deliver(office)
    (received,) = box.received
    the_mail_carries_the_papers(office, received, sold)
    shown_now = office.ok("GET", f"{INVOICES}/{sold['id']}")
    assert (shown_now["isSent"], shown_now["sentVia"]) == (True, "smtp")
    assert shown_now["sentAt"] == shown(office, message)["sentAt"]
    again = office.ok("POST", f"{INVOICES}/{sold['id']}/send", {"force": True, "to": ["x@alster.example"]})
    deliver(office)
    assert shown(office, again)["status"] == "sent"
    assert office.ok("GET", f"{INVOICES}/{sold['id']}")["sentAt"] == shown_now["sentAt"], "the first one counts"
    assert len(office.ok("GET", f"{MESSAGES}?resourceId={sold['id']}&kind=invoice&status=sent")) == 2
    office.ok("PATCH", "/workspace/texts/invoice/de", {"mailText": "Leistung {period}, {sender}, {customer}"})
    composed = office.ok("POST", f"{INVOICES}/{sold['id']}/send", {"dryRun": True})
    assert composed["text"] == "Leistung 02.01.2026 – 04.01.2026, Olga, Alster Verlag KG"
    the_log_names_nobody(office)
    assert office.colleague("viewer").ok("GET", MESSAGES)[0]["can"] == []


def test_a_quote_goes_out_as_the_paper_that_is_kept(office, box):
    firm = customer(office, email="office@alster.example", language="de")
    wanted = [{"email": "buying@alster.example", "kinds": ["quote"]}]
    office.ok("PATCH", f"/finance/contacts/{firm['id']}", {"recipients": wanted})
    made = quotes.draft(office, customerId=firm["id"], subject="Küche", issueDate="2026-01-05", validUntil="2026-02-04")
    path = f"/finance/quotes/{made['id']}"
    quotes.refused(office, made, "send", "invalid_transition")
    out = quotes.act(office, made, "issue")
    assert ("send" in made["can"], "send" in out["can"]) == (False, True)
    composed = office.ok("POST", f"{path}/send", {"dryRun": True})
    assert [each["address"] for each in composed["to"]] == ["buying@alster.example"]
    assert office.ok("GET", MESSAGES) == []
    set_up(office, box)
    message = office.ok("POST", f"{path}/send", {})
    assert (message["kind"], message["resource"]) == (
        "quote",
        {"type": "quote", "id": out["id"], "number": out["number"]},
    )
    assert out["number"] in message["subject"]
    assert "05.01.2026" in message["text"]
    assert "Küche" in message["text"]
    assert "{" not in message["text"]
    office.refused("POST", f"{path}/send", {}, status=409, code="just_sent")
    deliver(office)
    (received,) = box.received
    (pdf,) = received.mail.iter_attachments()
    assert pdf.get_content() == office.call("GET", f"{path}/pdf").content
    now = office.ok("GET", path)
    assert (now["isSent"], now["sentVia"], now["sentAt"]) == (True, "smtp", shown(office, message)["sentAt"])
    quotes.act(office, quotes.act(office, out, "revise"), "issue")
    quotes.refused(office, out, "send", "invalid_transition", force=True)
    viewer = office.colleague("viewer")
    viewer.refused("POST", f"{path}/send", {}, status=403, code="forbidden")
    assert viewer.ok("GET", MESSAGES)[0]["can"] == []
    assert problems(office) == []


def test_several_invoices_go_out_together_or_none(office, box):
    set_up(office, box)
    contact = customer(office, email="ap@bakery.example")["id"]
    first, second = (invoice(office, line("100.00"), customerId=contact)["id"] for _ in range(2))
    draft = invoice(office, line("100.00"), customerId=contact, draft=True)["id"]
    error = office.refused("POST", f"{INVOICES}/send", {"invoiceIds": [first, draft]}, status=422)
    assert [(each["field"], each["code"]) for each in error["details"]] == [("invoiceIds[1]", "invalid_transition")]
    assert office.ok("GET", MESSAGES) == []
    sent = office.ok("POST", f"{INVOICES}/send", {"invoiceIds": [first, second]})["messages"]
    assert [each["resource"]["id"] for each in sent] == [first, second]
    deliver(office)
    assert len(box.received) == 2
    assert len(office.ok("GET", f"{INVOICES}?isSent=true")) == 2
    assert [each["id"] for each in office.ok("GET", f"{INVOICES}?isSent=false")] == [draft]


def test_what_cannot_be_sent_is_refused_by_field(office):
    sold = invoice(office, line("100.00"))["id"]
    path = f"{INVOICES}/{sold}/send"

    def codes(body):
        error = office.refused("POST", path, body, status=422)
        return [(each["field"], each["code"]) for each in error["details"]]

    assert codes({"to": []}) == [("to", "no_recipient")]
    assert codes({"to": ["a@b.example"], "attach": "xml"})[0][0] == "attach"
    assert codes({"to": [f"a{index}@b.example" for index in range(21)]}) == [("to", "too_many")]
    assert codes({"to": ["a@b.example", "ä@b.example"]}) == [("to[1]", "bad_address")]
    for address in ("<a@b.example>", "mailto:a@b.example", "a,c@b.example", "a@b!c.example"):
        assert codes({"to": [address]}) == [("to[0]", "bad_address")], "a mail server would not read it as one address"
    headers = [{"to": ["a@b.example"], "subject": f"a{end}Bcc: c@d.example"} for end in ("\r\n", "\x85", "\u2028")]
    for wrong, field in (
        ({"to": ["nobody"]}, "to[0]"),
        *((header, "subject") for header in headers),
        ({"text": "x" * 10_001}, "text"),
    ):
        assert codes(wrong)[0][0] == field
    office.refused("POST", path, {"to": ["a@b.example"], "via": "smtp"}, status=409, code="mail_not_set_up")
    draft = invoice(office, line("1.00"), draft=True)["id"]
    office.refused("POST", f"{INVOICES}/{draft}/send", {}, status=409, code="invalid_transition")


def test_without_a_mail_server_the_message_is_a_draft_of_ones_own_program(office):
    sold = made(office)
    body = {"to": ["ap@alster.example"], "cc": ["b@alster.example"]}
    message = office.ok("POST", f"{INVOICES}/{sold['id']}/send", body)
    assert (message["status"], message["via"], message["can"]) == ("prepared", "eml", ["discard", "hand_over"])
    answer = office.call("GET", f"{MESSAGES}/{message['id']}/eml")
    assert answer.headers["content-type"] == "message/rfc822"
    assert answer.content.startswith(b"Subject: Rechnung R-2026-0001\r\nTo: ap@alster.example\r\nCc: b@alster.example")
    assert b"\r\nX-Unsent: 1\r\n" in answer.content
    assert answer.content == office.call("GET", f"{MESSAGES}/{message['id']}/eml").content, "the same at every download"
    handed = office.ok("POST", f"{MESSAGES}/{message['id']}/handed-over")
    assert (handed["status"], handed["can"]) == ("handed_over", [])
    assert office.ok("GET", f"{INVOICES}/{sold['id']}")["sentVia"] == "eml"
    other = office.ok("POST", f"{INVOICES}/{sold['id']}/send", {**body, "force": True})
    assert office.ok("POST", f"{MESSAGES}/{other['id']}/discard")["status"] == "discarded"
    office.refused("GET", f"{MESSAGES}/{other['id']}/eml", status=409)


@pytest.mark.parametrize("kind", ["invoice", "quote", "reminder"])
def test_invoices_quotes_and_reminders_that_went_by_post_are_marked_alike(acme, clock_at, kind):
    clock_at("2026-03-12T09:00:00Z")
    acme.ok("PATCH", f"/workspace/{acme.workspace_id}", {"timeZone": "Pacific/Auckland"})
    if kind == "invoice":
        record = invoice(acme, line("100.00"), issueDate="2026-03-10")
    elif kind == "quote":
        record = quotes.issued(acme, issueDate="2026-03-10")
    else:
        owed(acme, "100.00", "2026-02-20", customer(acme))
        record = make(acme, "2026-03-10")
    path = f"/finance/{kind}s/{record['id']}"
    assert {"mark_sent", "unmark_sent"} & {*record["can"]} == {"mark_sent"}
    for wrong, code in (({"on": "2026-03-13"}, "in_future"), ({"on": "2026-03-09"}, "too_early")):
        error = acme.refused("POST", f"{path}/mark-sent", wrong, status=422, code="validation_failed")
        assert [(each["field"], each["code"]) for each in error["details"]] == [("on", code)]
    acme.refused("POST", f"{path}/mark-sent", {"via": "smtp"}, status=422)
    marked = acme.ok("POST", f"{path}/mark-sent", {"on": "2026-03-11"})
    # noon in Auckland, which is 13 hours ahead in March
    assert (marked["isSent"], marked["sentVia"], marked["sentAt"]) == (True, "post", "2026-03-10T23:00:00.000Z")
    assert {"mark_sent", "unmark_sent"} & {*marked["can"]} == {"unmark_sent"}
    acme.refused("POST", f"{path}/mark-sent", {"via": "other"}, status=409, code="invalid_transition")
    unmarked = acme.ok("POST", f"{path}/unmark-sent")
    assert (unmarked["isSent"], unmarked["sentVia"], unmarked["sentAt"]) == (False, None, None)
    acme.refused("POST", f"{path}/unmark-sent", status=409, code="invalid_transition")
    assert acme.ok("POST", f"{path}/mark-sent", {"via": "link"})["sentAt"] == "2026-03-12T09:00:00.000Z"
    events = acme.ok("GET", f"/workspace/events?resourceId={record['id']}")[:3]
    assert [(each["type"], each["data"]["via"], each["data"]["number"]) for each in events] == [
        (f"{kind}.{what}", via, record["number"])
        for what, via in (("sent", "link"), ("unsent", "post"), ("sent", "post"))
    ]
    assert problems(acme) == []


def test_a_reminder_goes_out_as_its_letter_with_the_text_of_its_level(office, box, clock_at):
    clock_at("2026-08-01T09:00:00Z")
    addresses = [{"email": "ap@globex.example", "kinds": ["reminder"]}]
    globex = customer(office, "Globex", language="de", email="office@globex.example", recipients=addresses)
    set_up(office, box)
    owed(office, "100.00", "2026-03-01", globex)
    letter = make(office, "2026-07-30")
    path = f"{LETTERS}/{letter['id']}"
    composed = office.ok("POST", f"{path}/send", {"dryRun": True})
    assert composed["subject"] == "Zahlungserinnerung REM-2026-00001"
    assert "100,00 €" in composed["text"]
    assert "06.08.2026" in composed["text"]
    english = office.ok("POST", f"{path}/send", {"dryRun": True, "language": "en"})["text"]
    assert "100.00 €" in english
    assert "6 August 2026" in english
    assert "reminder.filed" not in events_of(office, letter)
    message = office.ok("POST", f"{path}/send", {})
    assert (message["kind"], message["resource"]["number"]) == ("reminder", "REM-2026-00001")
    office.refused("POST", f"{path}/send", {}, status=409, code="just_sent")
    assert office.ok("GET", path)["isSent"] is False
    deliver(office)
    (received,) = box.received
    assert received.recipients == ["ap@globex.example"]
    (pdf,) = received.mail.iter_attachments()
    assert pdf.get_content() == office.call("GET", f"{path}/pdf").content
    sent = office.ok("GET", path)
    assert amounts(sent, "isSent", "sentVia", "sentAt") == [True, "smtp", shown(office, message)["sentAt"]]
    assert "reminder.sent" in events_of(office, letter)
    assert office.colleague("viewer").call("POST", f"{path}/send", {}).status_code == 403
    box.replies = {"DATA": "554 no"}
    failed = office.ok("POST", f"{path}/send", {"force": True})
    deliver(office)
    office.ok("POST", f"{path}/undo", {"reason": "Too early"})
    office.refused("POST", f"{path}/send", {"force": True}, status=409, code="invalid_transition")
    the_message_is_not_sent_again(office, failed)
    assert problems(office) == []


def test_several_reminders_go_out_together_or_none(office, box, clock_at):
    """The letter without an address is named by its row and its customer."""
    clock_at("2026-08-01T09:00:00Z")
    set_up(office, box)
    firms = [customer(office, name, email=email) for name, email in (("Abel", "ap@abel.example"), ("Bauer", None))]
    for firm in firms:
        owed(office, "100.00", "2026-03-01", firm)
    chosen = [{"contactId": firm["id"], "currency": "EUR"} for firm in firms]
    letters = office.ok("POST", RUNS, {"date": "2026-07-30", "letters": chosen})["letters"]
    ids = [letter["id"] for letter in sorted(letters, key=lambda letter: letter["contactName"])]
    path = f"{LETTERS}/send"
    (complaint,) = office.refused("POST", path, {"reminderIds": ids}, status=422)["details"]
    assert (complaint["field"], complaint["code"]) == ("reminderIds[1]", "no_recipient")
    assert complaint["message"] == "Bauer: There is no e-mail address. Name one."
    (complaint,) = office.refused("POST", path, {"reminderIds": [ids[0], firms[0]["id"]]}, status=422)["details"]
    assert (complaint["field"], complaint["code"]) == ("reminderIds[1]", "unknown_reference")
    assert office.ok("GET", MESSAGES) == []
    office.ok("PATCH", f"/finance/contacts/{firms[1]['id']}", {"email": "ap@bauer.example"})
    sent = office.ok("POST", path, {"reminderIds": ids})["messages"]
    assert [each["resource"]["id"] for each in sent] == ids
    deliver(office)
    assert sorted(each.recipients[0] for each in box.received) == ["ap@abel.example", "ap@bauer.example"]
    assert len(office.ok("GET", f"{LETTERS}?isSent=true")) == 2
    office.ok("POST", f"{LETTERS}/{ids[1]}/undo", {"reason": "Too early"})
    (complaint,) = office.refused("POST", path, {"reminderIds": ids[1:], "force": True}, status=422)["details"]
    assert (complaint["field"], complaint["code"]) == ("reminderIds[0]", "invalid_transition")


def events_of(office, letter):
    return [event["type"] for event in office.ok("GET", "/workspace/events", params={"resourceId": letter["id"]})]


def test_each_kind_of_document_has_its_own_text(office):
    sold = made(office)
    note = credit(office, sold)
    body = {"to": ["a@b.example"], "dryRun": True}
    english = office.ok("POST", f"{INVOICES}/{note['id']}/send", {**body, "language": "en"})
    assert english["subject"].startswith("Credit note ")
    assert "for 1,404.00 €." in english["text"], "in the language of the words around it"
    assert office.ok("POST", f"{INVOICES}/{note['id']}/send", body)["subject"].startswith("Rechnungskorrektur ")
    days = {"dateFrom": "2026-01-01", "dateTo": "2026-01-31"}
    path = f"/finance/contacts/{sold['customerId']}/statement/send"
    statement = office.ok("POST", path, {**days, "to": ["a@b.example"]})
    assert statement["subject"] == "Kontoübersicht 01.01.2026 – 31.01.2026"
    assert "Zum 31.01.2026 sind 1.404,00 € offen." in statement["text"]
    assert statement["attachments"][0]["mediaType"] == "application/pdf"
    assert "Zum 31.01.2026 sind 1.404,00 € offen." in statement["text"]
    error = office.refused("POST", path, {"dateFrom": "2026-02-01", "dateTo": "2026-01-31"}, status=422)
    assert error["details"][0]["field"] == "dateTo"
