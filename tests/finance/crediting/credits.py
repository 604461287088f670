"""What tests of credit notes do again and again."""

TODAY = "2026-01-25"


def of_line(document, place, **part):
    return {"lineId": document["lines"][place]["id"], **part}


def refused(office, document, *lines, status=422, code="validation_failed", **fields):
    body = {"lines": list(lines), **fields} if lines else fields
    return office.refused("POST", f"/finance/invoices/{document['id']}/credit", body, status=status, code=code)


def taxes(document):
    return {(each["rate"], each["base"], each["amount"]) for each in document["taxBreakdown"]}
