// What has changed since a run was approved, and the run that pays the difference.
import { address, send } from "../../core/api.js";
import { day, money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { go } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { empty } from "../../ui/empty.js";
import { table } from "../../ui/table.js";
import { PAYROLL_TOUCHED, periodText } from "./list.js";

const KINDS = {
  attendance: () => t("Attendance"),
  leave: () => t("Leave"),
  time_logs: () => t("Time"),
  compensation: () => t.of("noun", "Pay"),
  schedule: () => t("Work schedule"),
  holiday: () => t("Public holidays"),
  employment: () => t("Employment"),
};

export const differencesOf = (run) => resource(address("/hr/payroll/differences", { runId: run?.id }));

// With several currencies, each has a run of its own.
export const correcting = (run, currency = run?.currency, isOneOfSeveral = false) => ({
  name: isOneOfSeveral ? t("Correction run in {currency}", { currency }) : t("Correction run"),
  key: isOneOfSeveral ? null : "C",
  icon: "scale",
  may: "payroll.write",
  run: async () => {
    const made = await send("POST", "/hr/payroll/run", {
      kind: "correction",
      currency,
      ...(run && { ofRunIds: [run.id] }),
    });
    changed(...PAYROLL_TOUCHED);
    await go(`/payroll/${made.id}`);
  },
});

export const changes = (differences) =>
  table({
    label: t("Changes since approval"),
    rows: () => differences.value ?? [],
    key: ({ payslipId }) => payslipId,
    href: ({ payslipId }) => `/payslips/${payslipId}`,
    empty: empty(t("No changes since approval.")),
    columns: [
      { key: "name", text: t("Name"), place: "name", cell: ({ employeeName }) => employeeName },
      { key: "period", text: t("Period"), place: "meta", isMinor: true, cell: periodText },
      { key: "why", text: t("Reason"), place: "meta", cell: why },
      {
        key: "paid",
        text: t("Paid"),
        isFigure: true,
        isMinor: true,
        width: "8rem",
        cell: ({ paid, currency }) => money(paid.net, currency),
      },
      {
        key: "net",
        text: t.of("payroll", "Change"),
        isFigure: true,
        place: "figure",
        width: "9rem",
        cell: ({ difference, currency }) => money(difference.net, currency, { withCurrency: true }),
      },
    ],
  });

const why = ({ causes }) =>
  tags.div(
    { class: "stack-tight" },
    causes.map((cause) => tags.span(textOf(cause))),
  );

function textOf({ kind, date, byName, resource: { type, id } }) {
  const text = [KINDS[kind](), date && day(date), byName].filter(Boolean).join(" · ");
  const isLeave = type === "leave" && may("leave.read");
  return isLeave ? tags.a({ href: `/leave/${id}` }, text) : text;
}
