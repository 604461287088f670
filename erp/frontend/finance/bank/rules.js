// Rules of the bank: lines with a text are booked to an account, on a key or by themselves.
import { send } from "../../core/api.js";
import { dayShort } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { editing } from "../../ui/records.js";
import { table } from "../../ui/table.js";
import { accountName } from "../../ui/accounts.js";
import { ruleFields } from "./fields.js";

const { div, p } = tags;
export const RULES = "/finance/bank/rules";

export default () => ({
  title: t("Bank rules"),
  back: { href: "/bank", text: t("Bank") },
  actions: [{
    name: t("New bank rule"),
    key: "n",
    main: true,
    icon: "plus",
    may: "finance.write",
    run: () => editing({ path: RULES, addText: t("New bank rule"), fields: ruleFields }, null),
  }],
  body: div(
    { class: "stack" },
    p(
      { class: "soft" },
      t("Bank transactions with this text are suggested for the account. The longest matching text wins."),
    ),
    table({
      label: t("Bank rules"),
      page: "bank_rules",
      list: list(RULES),
      key: ({ id }) => id,
      columns,
      actions: actionsOn,
      empty: empty(t("No bank rules yet. Fees and rents are good ones to start with.")),
    }),
  ),
});

const WAYS = { in: () => t("Money in"), out: () => t("Money out") };

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
    key: "direction",
    text: t("Money in or out"),
    isMinor: true,
    cell: ({ direction, accountOfBankName }) => [WAYS[direction]?.(), accountOfBankName].filter(Boolean).join(" · "),
  },
  {
    key: "used",
    text: t("Used"),
    isMinor: true,
    cell: ({ usedCount, lastUsedAt }) =>
      usedCount
        ? tn("{n} time, last {day}", "{n} times, last {day}", usedCount, { day: dayShort(lastUsedAt.slice(0, 10)) })
        : "",
  },
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
      name: t("Edit"),
      key: "e",
      icon: "pencil",
      run: () =>
        editing({ path: RULES, nameOf: ({ text }) => text, fields: ruleFields, changes: ["/finance/bank"] }, rule),
    }, {
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
