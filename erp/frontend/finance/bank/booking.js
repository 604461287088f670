// A bank line that is posted to an account; where a rule is made as well, it takes the same account and description.
import { newKey, send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { changed } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { ruleFields } from "./fields.js";

const { p } = tags;

export const byHand = (line, matches) =>
  dialog({ title: t("Post to an account"), body: (close) => booking(line, matches, close) });

function booking(line, matches, close) {
  const { text, accountId, taxRateId, description } = Object.fromEntries(ruleFields().map((one) => [one.name, one]));
  const others = async (typed) => (await accountId.options(typed)).filter(({ value }) => value !== line.accountId);
  const fields = editable([
    { ...accountId, options: others, ifEmpty: "" }, // without one, the server takes its first suggestion
    taxRateId,
    { ...description, start: line.text, isOptional: false },
    { ...text, label: t("Suggest for transactions with"), isOptional: true },
  ], null);
  const run = async () => {
    const { text: rule, ...to } = fields.body();
    await matches.now(line, to);
    if (rule) await send("POST", "/finance/bank/rules", { ...to, text: rule }, { key: newKey() });
    if (rule) changed("/finance/bank");
    close();
  };
  return form(
    { run, submit: t("Post"), cancel: () => close(), label: t("Post to an account") },
    p({ class: "soft" }, `${line.party ?? ""} ${money(line.amount, line.currency, { withCurrency: true })}`),
    fields.controls,
  );
}
