// From which day on sales count when; before the first day, when they are invoiced.
import { t } from "../../core/i18n.js";
import { today } from "../../core/parse.js";
import { may } from "../../core/session.js";
import { each, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { choice, optionsOf } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";

const BASES = { accrual: () => t("when they are invoiced"), cash: () => t("when they are paid") };
const { div, fieldset, legend } = tags;

// `value` is the list. Without any, a row offers the other basis.
export function taxBasis(value) {
  const rows = () => value.value.length ? value.value : [{ since: "", basis: "accrual" }];
  const put = (at, change) => {
    const now = rows().map((one, place) => (place === at ? { ...one, ...change } : one));
    const [only] = now;
    value.value = now.length === 1 && only.basis === "accrual" && !only.since ? [] : now;
  };
  const remove = (at) => void (value.value = value.value.filter((_, place) => place !== at));
  const add = () => {
    const last = value.value.at(-1)?.basis ?? "accrual";
    value.value = [...value.value, { since: "", basis: last === "cash" ? "accrual" : "cash" }];
  };
  const bound = (at, name) => ({
    get value() {
      return rows()[at]?.[name] ?? "";
    },
    set value(given) {
      const isFirst = name === "basis" && !rows()[at].since;
      put(at, { [name]: given ?? "", ...(isFirst && { since: `${today().slice(0, 4)}-01-01` }) });
    },
    peek: () => value.peek()[at]?.[name] ?? "",
  });
  const row = (item) => {
    const at = item.peek();
    const basis = `taxBasis[${at}].basis`;
    return div(
      { class: "fields" },
      field(
        { label: t("Sales count"), name: basis },
        choice({ value: bound(at, "basis"), name: basis, options: optionsOf(BASES) }),
      ),
      field(
        { label: t("Valid from"), name: `taxBasis[${at}].since` },
        dateField({ value: bound(at, "since"), name: `taxBasis[${at}].since` }),
      ),
      may("workspace.write") &&
        div(
          { class: "row" },
          () => value.value.length > 0 && button(t("Remove"), () => remove(at), { isSmall: true }),
        ),
    );
  };
  return fieldset(
    { class: "settings-fields stack is-wide", "data-name": "taxBasis", tabindex: "-1" },
    legend({ class: "visually-hidden" }, t("Accounting basis")),
    each(() => rows().map((_, at) => at), (at) => at, row),
    may("workspace.write") &&
      div({ class: "row" }, button(t("Add a change"), add, { isSmall: true, icon: "plus" })),
  );
}
