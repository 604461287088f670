"""Compensations over HTTP: what somebody's pay is, was and will be."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET

from erp.hr.access import people
from erp.hr.access.models import Employee
from erp.hr.employees import compensation as compensations
from erp.hr.employees.compensation import Frequency, NewCompensation, PayType
from erp.hr.employees.models import Compensation
from erp.hr.locked_days import PaidAlready
from erp.kernel import caller, money
from erp.kernel.errors import Forbidden, UnknownReference
from erp.web.endpoint import endpoint
from erp.web.scalars import Money
from erp.web.schema import RecordView, Unset, View


class PersonalComponentView(View):
    """A pay component that somebody has, with what of it is her own."""

    component_id: str
    amount: Money | Unset = UNSET
    percent: str | Unset = UNSET


class PayView(View):
    """What somebody is paid."""

    pay_type: PayType
    amount: Money
    currency: str
    frequency: Frequency
    components: list[PersonalComponentView]
    effective_from: str

    @classmethod
    def of(cls, compensation: Compensation) -> "PayView":
        """The view of a compensation."""
        return cls(**_pay(compensation))


class CompensationView(RecordView):
    """What somebody is paid from a day on, until the next one."""

    created_by: str | None
    employee_id: str
    pay_type: PayType
    amount: Money
    currency: str
    frequency: Frequency
    components: list[PersonalComponentView]
    effective_from: str
    replaced_by_id: Annotated[str | None, msgspec.Meta(description="The later one for the same day, if any.")]

    @classmethod
    def of(cls, row: Compensation) -> "CompensationView":
        """The view of a compensation."""
        plain = ("id", "version", "created_at", "updated_at", "created_by", "employee_id", "replaced_by_id")
        return cls(**{name: getattr(row, name) for name in plain}, **_pay(row))


def _pay(row: Compensation) -> dict[str, Any]:
    return {
        "pay_type": row.pay_type,
        "amount": money.text(row.amount, row.currency),
        "currency": row.currency,
        "frequency": row.frequency,
        "components": [_component(each, row.currency) for each in row.components],
        "effective_from": row.effective_from.isoformat(),
    }


def _component(kept: dict[str, Any], currency: str) -> PersonalComponentView:
    return PersonalComponentView(
        component_id=kept["componentId"],
        amount=money.text(kept["amount"], currency) if "amount" in kept else UNSET,
        percent=money.plain(kept["percent"]) if "percent" in kept else UNSET,
    )


class Collection:
    @endpoint(permission="employees.read_own")
    def on_get(self, id: str) -> list[CompensationView]:
        """List what somebody's pay was, is and will be, the latest first; for those who may read pay, and the person.

        Each holds from `effectiveFrom` until the next one. Those that another for the same day replaced stay on record.
        """
        if id != people.own_id() and not caller.may("pay.read"):
            raise Forbidden
        return [CompensationView.of(each) for each in compensations.history(Employee.find(id).id)]

    @endpoint(permission="employees.write", status=201, refuses=(UnknownReference, PaidAlready))
    def on_post(self, id: str, body: NewCompensation) -> CompensationView:
        """Set somebody's pay from a day on.

        Nothing of the past changes: the day must lie behind all that an approved payroll run paid. Pay that begins on
        the same day is replaced. A pay component takes an `amount` or a `percent` of the person's own as it is
        reckoned: fixed ones and those per hour an amount, percentages a percent, the others neither.
        """
        return CompensationView.of(compensations.add(id, body))
