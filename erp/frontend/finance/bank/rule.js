// A rule that is made from a bank line: its longest word, its direction and its account.
import { t } from "../../core/i18n.js";
import { editing } from "../../ui/records.js";
import { ruleFields } from "./fields.js";
import { RULES } from "./rules.js";

const longest = (text) => text.split(/\s+/).reduce((found, word) => (word.length > found.length ? word : found), "");

export function ruleFrom(line) {
  const usual = line.suggestions.find(({ accountCode }) => accountCode)?.confirm ?? {};
  const starts = {
    accountId: usual.accountId ?? "",
    taxRateId: usual.taxRateId ?? "",
    text: longest(line.party ?? line.text),
    direction: line.amount.startsWith("-") ? "out" : "in",
    accountOfBankId: line.accountId,
  };
  const fields = () => ruleFields().map((spec) => (spec.name in starts ? { ...spec, start: starts[spec.name] } : spec));
  return editing({ path: RULES, addText: t("New bank rule"), fields, changes: ["/finance/bank"] }, null);
}
