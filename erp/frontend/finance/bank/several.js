// Several bank lines that pay one open item, each by a payment of its own day.
import { address, get } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";

export const payOne = (lines, matches, done) =>
  dialog({ title: t("Match with an open item"), body: (close) => choosing(lines, matches, done, close) });

function choosing(lines, matches, done, close) {
  const [{ id, accountId, currency, party }] = lines;
  const options = async (typed) => {
    const found = await get(address(`/finance/bank/lines/${id}/candidates`, { q: typed }));
    return found.filter(({ itemId }) => itemId).map(({ itemId, number, contactName, open }) => ({
      value: itemId,
      text: `${number} ${contactName ?? ""}`,
      more: money(open, currency),
    }));
  };
  const fields = editable([{ name: "itemId", label: t("Open item"), kind: "search", options, ifEmpty: "" }], null);
  const run = async () => {
    const skipped = await matches.several({ ...fields.body(), accountId, lineIds: lines.map((line) => line.id) });
    if (!skipped.length) done();
    close();
  };
  return form(
    { run, submit: t.of("verb", "Match"), cancel: () => close(), label: t("Match with an open item") },
    tags.p(
      { class: "soft" },
      tn("{n} transaction", "{n} transactions", lines.length),
      ": ",
      lines.map(({ amount }) => money(amount, currency)).join(" + "),
      party ? ` · ${party}` : "",
    ),
    fields.controls,
  );
}
