"""What tests of settling do again and again."""

FOREIGN = {"currency": "CHF"}


def allocate(office, payment, *parts, **fields):
    allocations = [{"invoiceId": invoice_id, "amount": amount} for invoice_id, amount in parts]
    return office.ok("POST", f"/finance/payments/{payment['id']}/allocations", {"allocations": allocations, **fields})


def release(office, payment, place=0, **fields):
    allocation = payment["allocations"][place]
    return office.ok("POST", f"/finance/payments/{payment['id']}/allocations/{allocation['id']}/release", fields)


def refused(office, amount, *parts, **fields):
    """The complaint about a payment that is to settle these parts."""
    allocations = [{"invoiceId": invoice_id, "amount": part} for invoice_id, part in parts]
    body = {"amount": amount, "allocations": allocations, **fields}
    (only,) = office.refused("POST", "/finance/payments", body, status=422, code="validation_failed")["details"]
    return only["field"], only["code"], only["message"]
