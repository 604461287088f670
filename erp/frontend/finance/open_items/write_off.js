// Writing off what is open of a document or of an item without one.
import { send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { checkbox, choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { dimensionFields } from "../dimensions/choice.js";
import { TOUCHED } from "../payments/touched.js";

const { p } = tags;

export function writeOff(path, { open, currency }, close) {
  const [category, reason, correctsTax, dimensions] = ["uncollectable", "", true, ""].map((start) => signal(start));
  const categories = [
    { value: "uncollectable", text: t("Uncollectable") },
    { value: "small_difference", text: t("A small difference") },
    { value: "doubtful", text: t("Doubtful: the item stays open") },
  ];
  const run = async () => {
    const body = { category: category.value, reason: reason.value, correctTax: correctsTax.value };
    if (dimensions.value) body.dimensions = dimensions.value;
    await send("POST", `${path}/write-off`, body);
    changed(...TOUCHED);
    close();
    notify(toldOf(category.value, money(open, currency, { withCurrency: true })), {
      undo: async () => {
        await send("POST", `${path}/write-off/undo`, {});
        changed(...TOUCHED);
      },
    });
  };
  return form(
    { run, submit: t("Write off"), cancel: () => close(), label: t("Write off"), kind: "danger" },
    p(t("Open: {amount}.", { amount: money(open, currency, { withCurrency: true }) })),
    field(
      { label: t("Write-off type"), name: "category" },
      choice({ value: category, name: "category", options: categories }),
    ),
    field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
    dimensionFields(dimensions, "dimensions"),
    checkbox({ value: correctsTax, name: "correctTax", text: t("Correct the VAT") }),
  );
}

const toldOf = (category, amount) =>
  category === "doubtful" ? t("Posted as doubtful: {amount}.", { amount }) : t("Written off: {amount}.", { amount });
