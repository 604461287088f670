"""Share links that go out with a document: with another secret at each try, and none once they are revoked."""

import pytest

from tests.finance.documents.invoices import invoice
from tests.finance.quotes import quotes
from tests.finance.soundness import problems
from tests.mail.mailbox import MESSAGES, deliver, set_up, shown
from tests.share_links.test_share_links import opened, secret_of

INVOICES, QUOTES = "/finance/invoices", "/finance/quotes"


@pytest.fixture
def sharing(office):
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"shareLinks": True})
    return office


def sent(office, document, **body):
    return office.ok("POST", f"{INVOICES}/{document['id']}/send", {"to": ["ap@alster.example"], "force": True, **body})


def secret_in(text):
    return text.partition("/s#")[2].split()[0]


def links_of(office, document):
    return office.ok("GET", f"{INVOICES}/{document['id']}/links")


def outcome(office, message):
    now = shown(office, message)
    return now["status"], now["problem"]


def drafts_say_where_the_link_stands(office, sold):
    draft = sent(office, sold, withLink=True, dryRun=True)
    assert (draft["hasLink"], draft["text"].count("{link}")) == (True, 1)
    assert sent(office, sold, withLink=True, dryRun=True, text="Look:")["text"] == "Look:\n\n{link}"
    assert links_of(office, sold) == []
    plain = sent(office, sold, dryRun=True)
    assert (plain["hasLink"], "{link}" in plain["text"]) == (False, False)


def test_each_try_brings_a_link_of_its_own_and_the_one_before_ends(sharing, box):
    office, sold = sharing, invoice(sharing, "100.00")
    set_up(office, box, copyTo="copy@acme.example")
    drafts_say_where_the_link_stands(office, sold)
    message = sent(office, sold, withLink=True)
    (link,) = links_of(office, sold)
    assert (link["messageId"], link["isLive"], link["hasPin"]) == (message["id"], True, False)
    box.at = {"ACCEPTED": lambda: "hang up"}
    deliver(office)
    first = secret_in(box.received[0].text)
    assert outcome(office, message) == ("unsure", "interrupted")
    assert opened(office, first).json["data"]["number"] == sold["number"]
    box.at = {}
    again = office.ok("POST", f"{MESSAGES}/{message['id']}/retry")
    assert opened(office, first).status_code == 200, "until the next try"
    deliver(office)
    second = secret_in(box.received[1].text)
    assert [opened(office, secret).status_code for secret in (first, second)] == [404, 200]
    assert box.received[1].recipients == ["ap@alster.example", "copy@acme.example"]
    assert [each["messageId"] for each in links_of(office, sold)] == [again["id"]]
    stored = str([office.ok("GET", "/workspace/events"), office.ok("GET", MESSAGES), links_of(office, sold)])
    assert first.partition(".")[2] not in stored
    assert second.partition(".")[2] not in stored
    typed = sent(office, sold, text="Braces: {link}")
    deliver(office)
    assert (typed["hasLink"], box.received[2].text.strip()) == (False, "Braces: {link}"), "no one asked for a link"
    assert len(links_of(office, sold)) == 1
    assert problems(office) == []


def test_a_revoked_link_does_not_go_out_and_none_takes_its_place(sharing, box):
    office, sold = sharing, invoice(sharing, "100.00")
    set_up(office, box)

    def revoke(message):
        (link,) = [each for each in links_of(office, sold) if each["messageId"] == message["id"]]
        office.ok("POST", f"{INVOICES}/{sold['id']}/links/{link['id']}/revoke")

    queued = sent(office, sold, withLink=True)
    revoke(queued)
    begun = sent(office, sold, withLink=True)
    box.at = {"RCPT": lambda: revoke(begun)}
    deliver(office)
    assert [outcome(office, each) for each in (queued, begun)] == [("failed", "link_ended")] * 2
    assert [shown(office, each)["can"] for each in (queued, begun)] == [[], []]
    office.refused("POST", f"{MESSAGES}/{queued['id']}/retry", status=409, code="invalid_transition")
    cancelled = sent(office, sold, withLink=True)
    office.ok("POST", f"{MESSAGES}/{cancelled['id']}/cancel")
    unshared = sent(office, sold, withLink=True)
    assert [each["isLive"] for each in links_of(office, sold)] == [True, False, False, False]
    office.ok("PATCH", f"/workspace/{office.workspace_id}", {"shareLinks": False})
    deliver(office)
    assert (outcome(office, unshared), box.received) == (("failed", "link_ended"), [])
    office.refused("POST", f"{MESSAGES}/{unshared['id']}/retry", status=409, code="sharing_off")
    for path, body in (
        (f"{INVOICES}/{sold['id']}/send", {}),
        (f"{INVOICES}/{sold['id']}/send", {"dryRun": True}),
        (f"{INVOICES}/send", {"invoiceIds": [sold["id"]]}),
    ):
        office.refused("POST", path, {"withLink": True, "via": "eml", **body}, status=409, code="sharing_off")
    assert problems(office) == []


def test_a_file_for_ones_own_program_has_another_link_at_each_download(sharing):
    office = sharing
    quote = quotes.issued(office)
    path = f"{QUOTES}/{quote['id']}"
    message = office.ok("POST", f"{path}/send", {"to": ["ap@alster.example"], "withLink": True})
    assert message["status"] == "prepared"

    def downloaded():
        content = office.call("GET", f"{MESSAGES}/{message['id']}/eml").content
        text = content.decode().replace("=\r\n", "").replace("=23", "#")
        return secret_in(text)

    secrets = [downloaded(), downloaded()]
    assert [opened(office, secret).status_code for secret in secrets] == [404, 200]
    assert opened(office, secrets[1]).json["data"]["can"] == ["accept", "decline"]
    office.ok("POST", f"{MESSAGES}/{message['id']}/discard")
    assert opened(office, secrets[1]).status_code == 404, "what is not sent opens nothing"
    later = office.ok("POST", f"{path}/revise")
    office.ok("POST", f"{QUOTES}/{later['id']}/issue")
    body = {"to": ["ap@alster.example"], "withLink": True}
    office.refused("POST", f"{path}/send", body, status=409, code="superseded")


def test_several_documents_bring_a_link_each(sharing, box):
    office = sharing
    set_up(office, box)
    sold = [invoice(office, amount) for amount in ("10.00", "20.00")]
    body = {"invoiceIds": [each["id"] for each in sold], "to": ["ap@alster.example"], "withLink": True}
    office.ok("POST", f"{INVOICES}/send", body)
    deliver(office)
    shares = [opened(office, secret_in(received.text)).json["data"] for received in box.received]
    assert sorted(share["total"] for share in shares) == sorted(each["total"] for each in sold)
    made = office.ok("POST", f"{INVOICES}/{sold[0]['id']}/links", {})
    assert (made["messageId"], secret_of(made) != secret_in(box.received[0].text)) == (None, True)
