// Billing the time of a project that is worked and not billed.
import { newKey, send } from "../../core/api.js";
import { duration, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { previewed } from "../../core/preview.js";
import { go } from "../../core/router.js";
import { currency } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { timeBillingField } from "../../ui/time_billing.js";

const { p } = tags;
const FROM_TIME = "/finance/invoices/from-time-logs";

// A draft of what was worked and not billed; it opens in the editor.
export const billing = (project) => {
  const fields = editable(billedFields(), null);
  const key = newKey();
  return dialog({
    title: t("Invoice time of {project}", { project: project.name }),
    body: (close) => {
      const body = () => ({ projectId: project.id, ...fields.body() });
      const preview = previewed(FROM_TIME, () => ({ ...body(), dryRun: true }), () => void (preview.value = null));
      const run = async () => {
        const draft = await send("POST", FROM_TIME, body(), { key });
        changed("/finance/invoices", "/projects", "/tasks");
        close();
        await go(`/invoices/${draft.id}/edit`);
      };
      return form(
        { run, submit: t("Create draft"), cancel: () => close(), label: t("Invoice time") },
        fields.controls,
        p({ role: "status" }, () => preview.value?.leftOut.minutes && leftOutText(preview.value.leftOut)),
      );
    },
  });
};

const billedFields = () => [
  { name: "dateFrom", label: t("First day"), kind: "day", isOptional: true, hint: t("Default: all earlier time.") },
  { name: "dateTo", label: t("Last day"), kind: "day", isOptional: true, hint: t("Default: today.") },
  {
    name: "groupBy",
    label: t("One line per"),
    kind: "choice",
    start: "task",
    options: [{ value: "task", text: t("task") }, { value: "user", text: t("person") }, {
      value: "date",
      text: t("day"),
    }],
  },
  timeBillingField(),
];

const leftOutText = ({ minutes, amount }) =>
  t("{time}, worth {amount}, is left out: its week is not approved.", {
    time: duration(minutes),
    amount: money(amount, currency(), { withCurrency: true }),
  });
