// One recurring document: its rhythm, what it has made and will make, and what can be done with it.
import { address, send } from "../../core/api.js";
import { day, days } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { listScreen } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { changed, resource } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { card } from "../../ui/card.js";
import { factsOf } from "../../ui/fields.js";
import { pill } from "../../ui/pill.js";
import { loaded } from "../../ui/skeleton.js";
import { table } from "../../ui/table.js";
import { TOUCHED } from "../payments/touched.js";
import { recurringFields } from "./fields.js";
import { isBill, recurringState } from "./words.js";
import { RECURRING } from "../documents/states.js";

const { a, div } = tags;

export default ({ params }) => {
  const path = `${RECURRING}/${params.id}`;
  const recurring = resource(path);
  const occurrences = resource(address(`${path}/occurrences`, { upcoming: 6 }));
  const get = () => recurring.value;
  return {
    title: () => get()?.name ?? "",
    state: () => get() && recurringState(get()),
    back: { href: listScreen(RECURRING, "/recurring"), text: t("Recurring documents") },
    actions: () => (get() ? actionsOn(get(), path) : []),
    body: loaded(recurring, () =>
      div(
        { class: "stack document" },
        () =>
          get().failure &&
          alert({ text: `${t("Could not be created on {day}:", { day: day(get().failedOn) })} ${get().failure}` }),
        card({}, () => factsOf(recurringFields(get()), get())),
        card(
          { title: t("Past and upcoming") },
          table({
            label: t("Past and upcoming"),
            rows: () => occurrences.value && [...occurrences.value].reverse(),
            key: ({ date }) => date,
            columns: columns(get),
          }),
        ),
      )),
  };
};

const STATES = {
  made: () => pill(t("carried out"), "good"),
  due: () => pill(t.of("occurrence", "due"), "warn"),
  planned: () => pill(t("upcoming"), "neutral"),
};

const columns = (get) => [
  { key: "date", text: t("Date"), place: "name", width: "10rem", cell: ({ date }) => day(date) },
  { key: "period", text: t("Period"), place: "meta", cell: (one) => days(one.periodFrom, one.periodTo) },
  {
    key: "document",
    text: t("Document"),
    isMinor: true,
    cell: (one) =>
      one.documentId ? a({ href: `${placeOf(get(), one)}/${one.documentId}` }, one.documentNumber ?? t("draft")) : "",
  },
  { key: "warning", text: t("Warning"), isMinor: true, cell: ({ warning }) => warning ?? "" },
  { key: "state", text: t("Status"), place: "state", width: "8rem", cell: ({ status }) => STATES[status]() },
];

const placeOf = (now, { documentType }) =>
  documentType === "journal_entry" ? "/journals" : isBill(now) ? "/bills" : "/invoices";

function actionsOn(now, path) {
  const can = (action) => now.can.includes(action);
  const act = async (verb, done, version = now.version) => {
    const answer = await send("POST", `${path}/${verb}`, {}, { version });
    changed(RECURRING, ...TOUCHED);
    notify(done(answer), { kind: "good" });
  };
  // The server may make it meanwhile; whatever the version, nothing is made twice.
  const makeDue = () =>
    act("run", ({ made }) => tn("{n} document created.", "{n} documents created.", made.length), null);
  return [
    can("run") && { name: t("Create due documents"), main: true, icon: "play", run: makeDue },
    can("update") && {
      name: t("Edit"),
      key: "e",
      icon: "pencil",
      run: async () => (await import("./dialog.js")).editRecurring(now),
    },
    can("pause") && { name: t("Pause"), icon: "pause", run: () => act("pause", () => t("{name} paused.", now)) },
    can("resume") && {
      name: t("Resume"),
      icon: "play",
      run: () => act("resume", () => t("{name} resumed. Skipped dates are not created.", now)),
    },
    can("delete") && {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: { title: t("Delete {name}?", now), text: t("No documents created yet."), verb: t("Delete"), danger: true },
      run: async () => {
        await send("DELETE", path, undefined, { version: now.version });
        await go("/recurring");
        changed(RECURRING);
      },
    },
  ];
}
