"""The CSV of a payroll run's net pay, for a bank that accepts no XML."""

import csv
import io

from erp.finance.payments.credit_transfer import Batch
from erp.kernel import money
from erp.web.csv_list import cell


def as_csv(batch: Batch) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["name", "iban", "amount", "currency", "date", "reference"])
    for transfer in batch.transfers:
        amount = money.text(transfer.amount, batch.currency)
        row = [transfer.holder, transfer.iban, amount, batch.currency, batch.day, transfer.reference]
        writer.writerow([cell(value) for value in row])
    return text.getvalue().encode()
