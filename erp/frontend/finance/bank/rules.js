// Rules of the bank: lines with a text are booked to an account, on a key or by themselves.
import { newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { checkbox, choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { table } from "../../ui/table.js";
import { accountName, postable } from "../../ui/accounts.js";
import { dimensionFields } from "../dimensions/choice.js";
import { rateOptions } from "../tax_rates/choice.js";

const { div, p } = tags;
const RULES = "/finance/bank/rules";

export default () => ({
  title: t("Bank rules"),
  back: { href: "/bank", text: t("Bank") },
  actions: [{
    name: t("New bank rule"),
    key: "n",
    main: true,
    icon: "plus",
    may: "finance.write",
    run: () => dialog({ title: t("New bank rule"), body: (close) => adding(close) }),
  }],
  body: div(
    { class: "stack" },
    p(
      { class: "soft" },
      t("Bank transactions with this text are suggested for the account. The longest matching text wins."),
    ),
    table({
      label: t("Bank rules"),
      list: list(RULES),
      key: ({ id }) => id,
      columns,
      actions: actionsOn,
      empty: empty(t("No bank rules yet. Fees and rents are good ones to start with.")),
    }),
  ),
});

const columns = [
  { key: "text", text: t("Text"), place: "name", cell: ({ text }) => text },
  {
    key: "account",
    text: t("Account"),
    place: "meta",
    cell: (rule) => accountName({ code: rule.accountCode, name: rule.accountName }),
  },
  { key: "tax", text: t("Tax"), isMinor: true, cell: ({ taxRateName }) => taxRateName ?? "" },
  { key: "description", text: t("Description"), isMinor: true, cell: ({ description }) => description ?? "" },
  {
    key: "how",
    text: t("Posted"),
    place: "state",
    cell: ({ isAutomatic }) => (isAutomatic ? t("automatically") : t("when matched")),
  },
];

const actionsOn = (rule) =>
  may("finance.write")
    ? [{
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: {
        title: t("Delete the rule for “{text}”?", { text: rule.text }),
        text: t("Its entries stay."),
        verb: t("Delete"),
        danger: true,
      },
      run: async () => {
        await send("DELETE", `${RULES}/${rule.id}`, undefined, { version: rule.version });
        changed("/finance/bank");
      },
    }]
    : [];

function adding(close) {
  const values = {
    text: signal(""),
    accountId: signal(""),
    taxRateId: signal(null),
    description: signal(""),
    isAutomatic: signal(false),
    dimensions: signal(""),
  };
  const accounts = postable();
  const key = newKey();
  const run = async () => {
    const given = Object.entries(values).map(([name, one]) => [name, one.value]).filter(([, value]) => value);
    await send("POST", RULES, Object.fromEntries(given), { key });
    changed("/finance/bank");
    close();
  };
  return form(
    { run, submit: t("Add"), cancel: () => close(), label: t("New bank rule") },
    field({
      label: t("Transactions with"),
      name: "text",
      hint: t("Text that recurs, such as the name of a fee."),
    }, textInput({ value: values.text, name: "text" })),
    field(
      { label: t("Account"), name: "accountId" },
      combobox({ value: values.accountId, name: "accountId", options: accounts.options, shown: accounts.name }),
    ),
    field(
      { label: t("Tax in the amount"), name: "taxRateId", isOptional: true },
      choice({
        value: values.taxRateId,
        name: "taxRateId",
        empty: t("none"),
        options: rateOptions(({ category }) => category === "S"),
      }),
    ),
    field(
      { label: t("Description"), name: "description", isOptional: true },
      textInput({ value: values.description, name: "description" }),
    ),
    dimensionFields(values.dimensions, "dimensions"),
    checkbox({
      value: values.isAutomatic,
      name: "isAutomatic",
      text: t("Post automatically"),
      hint: t("As soon as a statement is imported, without asking."),
    }),
  );
}
