// Blocking a contact or an invoice from reminders, and lifting the block.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { choice, optionsOf } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { BLOCKS, REMINDED } from "./words.js";

export async function lift(path, { version }, name) {
  await send("POST", `${path}/reminder-block/lift`, {}, { version });
  changed(...REMINDED);
  notify(t("{name} is reminded again.", { name }), { kind: "good" });
}

export const block = (path, { version }, name) =>
  dialog({
    title: t("Block {name} from reminders", { name }),
    body: (close) => {
      const [kind, reason, until] = [signal("disputed"), signal(""), signal("")];
      const run = async () => {
        const body = { kind: kind.value, reason: reason.value, ...(until.value && { until: until.value }) };
        await send("POST", `${path}/reminder-block`, body, { version });
        changed(...REMINDED);
        close();
      };
      return form(
        { run, submit: t("Block"), cancel: () => close(), label: t("Block reminders") },
        tags.div(
          { class: "fields" },
          field(
            { label: t("Kind of block"), name: "kind" },
            choice({ value: kind, name: "kind", options: optionsOf(BLOCKS) }),
          ),
          field(
            { label: t("Until"), name: "until", isOptional: true, hint: t("The last day without reminders.") },
            dateField({ value: until, name: "until" }),
          ),
        ),
        field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason" })),
      );
    },
  });
