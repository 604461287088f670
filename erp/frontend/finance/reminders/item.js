// One reminder: what it asks for, and what became of it.
import { download, send } from "../../core/api.js";
import { day, moment } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { neighbours } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { dateField } from "../../ui/date.js";
import { dialog } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { history } from "../../ui/history.js";
import { textInput } from "../../ui/input.js";
import { pager } from "../../ui/pager.js";
import { loaded } from "../../ui/skeleton.js";
import { isZero } from "../documents/states.js";
import { TOUCHED } from "../payments/touched.js";
import { itemsTable, sumsOf } from "./items.js";
import { amountOf, levelName, REMINDED, REMINDERS, reminderState, viaName } from "./words.js";

const { a, div, p } = tags;

export default ({ params }) => {
  const reminder = resource(`${REMINDERS}/${params.id}`);
  const get = () => reminder.value;
  return {
    title: () => (get() ? t("Reminder {number}", { number: get().number }) : ""),
    state: () => get() && reminderState(get()),
    back: { href: "/reminders?tab=letters", text: t("Reminders") },
    leadsOn: true,
    pager: pager(neighbours(REMINDERS, params.id), ({ id }) => `/reminders/${id}`),
    actions: () => (get() ? actionsOn(get()) : []),
    body: loaded(
      reminder,
      () => div({ class: "columns columns-wide document" }, () => letter(get()), () => about(get())),
    ),
  };
};

const letter = (now) => card({ title: levelName(now.levelName) }, itemsTable(now), facts(sumsOf(now)));

const about = (now) =>
  card(
    {},
    facts([
      [t("Customer"), a({ href: `/contacts/${now.contactId}` }, now.contactName)],
      [t("Date"), day(now.date)],
      [t("Level"), String(now.level)],
      [t("To be paid by"), day(now.payBy)],
      [t("Sent"), now.sentAt && [day(now.sentAt.slice(0, 10)), viaName(now.sentVia)].filter(Boolean).join(", ")],
      [
        t("Invoice of the charges"),
        now.chargeInvoiceId && a({ href: `/invoices/${now.chargeInvoiceId}` }, now.chargeInvoiceNumber),
      ],
      [t("Charges waived on"), now.waivedAt && moment(now.waivedAt)],
      [t("Why waived"), now.waiveReason],
      [t("Undone on"), now.undoneAt && moment(now.undoneAt)],
      [t("Reason"), now.undoReason],
      [t("Created by"), now.createdByName],
    ]),
  );

function actionsOn(now) {
  const path = `${REMINDERS}/${now.id}`;
  const act = async (verb, body = {}) => {
    const answer = await send("POST", `${path}/${verb}`, body, { version: now.version });
    changed(...REMINDED, ...TOUCHED);
    return answer;
  };
  const can = (action) => now.can.includes(action);
  return [
    { name: t("PDF"), key: "d", main: true, icon: "file-text", run: () => download(`${path}/pdf`) },
    can("send") && { name: t("Send"), key: "m", icon: "mail", run: () => mail(now, path) },
    can("markSent") && { name: t("Mark as sent"), icon: "check", run: () => markSent(now, act) },
    can("unmarkSent") && { name: t("Mark as not sent"), icon: "undo-2", run: () => act("unmark-sent") },
    can("charge") && {
      name: t("Invoice charges"),
      icon: "receipt",
      asks: {
        title: t("Invoice the charges of {number}?", { number: now.number }),
        text: t("An invoice of today without VAT is issued and posted, due at once. A letter is charged once."),
        figures: chargesOf(now),
        verb: t("Invoice charges"),
      },
      run: async () => {
        const { chargeInvoiceNumber: number } = await act("charge");
        notify(t("{number} issued.", { number }), { kind: "good" });
      },
    },
    can("waive") && {
      name: t("Waive charges"),
      icon: "eraser",
      run: () =>
        reasonDialog(
          t("Waive the charges of {number}?", { number: now.number }),
          t("Neither this letter nor a later one asks for them."),
          t("Waive charges"),
          (reason) => act("waive", { reason }),
        ),
    },
    history(now),
    can("undo") && {
      name: t("Undo letter"),
      icon: "ban",
      danger: true,
      run: () =>
        reasonDialog(
          t("Undo {number}?", { number: now.number }),
          t("Its items fall back to the level before. The number stays in use."),
          t("Undo letter"),
          (reason) => act("undo", { reason }),
          "danger",
        ),
    },
  ];
}

const chargesOf = (now) =>
  [[t("Reminder fee"), "fee"], [t("Default interest"), "interest"], [t("Lump sum for late payment"), "lumpSum"], [
    t("Less charges invoiced or waived"),
    "charged",
  ]]
    .filter(([, name]) => !isZero(now[name]))
    .map(([label, name]) => [label, amountOf(now[name], now)]);

const reasonDialog = (title, text, verb, run, kind = undefined) =>
  dialog({
    title,
    body: (close) => {
      const reason = signal("");
      return form(
        {
          run: async () => {
            await run(reason.value);
            close();
          },
          submit: verb,
          cancel: () => close(),
          label: verb,
          kind,
        },
        p(text),
        field({ label: t("Reason"), name: "reason" }, textInput({ value: reason, name: "reason", autofocus: true })),
      );
    },
  });

const mail = async (now, path) =>
  await (await import("../../ui/mail.js")).sendDialog({
    title: t("Send {name}", { name: now.number }),
    path,
    touched: REMINDED,
  });

const markSent = (now, act) =>
  dialog({
    title: t("Mark {number} as sent", { number: now.number }),
    body: (close) => {
      const [on, via] = [signal(today()), signal("post")];
      return form(
        {
          run: async () => {
            await act("mark-sent", { on: on.value || null, via: via.value });
            close();
          },
          submit: t("Mark as sent"),
          cancel: () => close(),
          label: t("Mark as sent"),
        },
        div(
          { class: "fields" },
          field({ label: t("Sent on"), name: "on" }, dateField({ value: on, name: "on" })),
          field(
            { label: t("How"), name: "via" },
            choice({
              value: via,
              name: "via",
              options: ["post", "eml", "other"].map((value) => ({ value, text: viaName(value) })),
            }),
          ),
        ),
      );
    },
  });
