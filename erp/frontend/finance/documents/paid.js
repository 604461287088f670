// A bill that is paid already, such as a receipt from the till: the account that paid it.
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { moneyAccounts } from "../payments/fields.js";

export function paidField(value, currencyOf) {
  const accounts = moneyAccounts(() => currencyOf() ?? currency());
  return field(
    { label: t("Already paid from"), name: "paidFromAccountId", isOptional: true },
    choice({
      value,
      name: "paidFromAccountId",
      empty: t("not paid yet"),
      options: () => accounts.value.map(({ id, code, name }) => ({ value: id, text: `${code} ${name}` })),
    }),
  );
}
