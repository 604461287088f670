// The documents of employees: their columns, the form that adds or replaces one, and what can be done with each.
import { address, download, newKey, send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { change } from "../../ui/changing.js";
import { optionsOf } from "../../ui/choice.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { editable } from "../../ui/fields.js";
import { fileInput } from "../../ui/file.js";
import { form } from "../../ui/form.js";
import { pill } from "../../ui/pill.js";

const DOCUMENTS = "/hr/documents";

const KINDS = {
  contract: () => t("Contract"),
  permit: () => t("Permit"),
  certificate: () => t("Certificate"),
  licence: () => t("Licence"),
  sick_note: () => t("Sick note"),
  training: () => t("Training"),
  other: () => t("Other"),
};
const readers = () => [
  { value: "hr", text: t("HR only") },
  { value: "person", text: t("HR and the employee") },
];

const validity = ({ validFrom, validUntil }) => {
  if (validUntil) return t("until {day}", { day: day(validUntil) });
  return validFrom ? t("from {day}", { day: day(validFrom) }) : "";
};

const stateOf = ({ isDue, replacedById, doneAt }) => {
  if (isDue) return pill(t("renew"), "warn");
  if (replacedById) return pill(t("replaced"), "neutral");
  return doneAt ? pill(t("done"), "neutral") : "";
};

export const documentColumns = ({ withPerson }) =>
  [
    { key: "title", text: t("Title"), place: "name", cell: ({ title }) => title },
    withPerson && {
      key: "person",
      text: t("Person"),
      place: "meta",
      cell: ({ employeeId, employeeName }) => tags.a({ href: `/people/${employeeId}` }, employeeName),
    },
    {
      key: "kind",
      text: t.of("document", "Kind"),
      place: withPerson ? undefined : "meta",
      cell: ({ kind }) => KINDS[kind](),
    },
    { key: "valid", text: t("Valid"), place: "figure", cell: validity },
    { key: "state", text: t("Status"), place: "state", width: "8rem", cell: stateOf },
  ].filter(Boolean);

const fields = (record) => [
  {
    name: "kind",
    label: t.of("document", "Kind"),
    kind: "choice",
    start: record?.kind ?? "contract",
    options: optionsOf(KINDS),
  },
  { name: "title", label: t("Title"), start: record?.title ?? "", ifEmpty: "" },
  { name: "validFrom", label: t("Valid from"), kind: "day", isOptional: true },
  { name: "validUntil", label: t("Last day"), kind: "day", isOptional: true },
  { name: "remindDays", label: t("Remind, days before"), kind: "whole", start: record?.remindDays ?? 30 },
  {
    name: "visibility",
    label: t("Who can read it"),
    kind: "choice",
    start: record?.visibility ?? "hr",
    options: readers(),
    hint: t("Sick notes: HR only."),
  },
];

const renew = () => changed("/hr/", "/workspace/");

// Adds a document; with `earlier`, one that takes its place.
export const addDocument = (employeeId, earlier = null) =>
  dialog({
    title: earlier ? t("Replace {name}", { name: earlier.title }) : t("Add document"),
    body: (close) => newForm(employeeId, earlier, close),
  });

function newForm(employeeId, earlier, close) {
  const all = editable(fields(earlier), null);
  const file = signal(null);
  const key = newKey();
  const run = async () => {
    const about = { ...all.body(), name: file.value?.name, replacesDocumentId: earlier?.id };
    const path = `/hr/employees/${employeeId}/documents`;
    if (file.value) await send("POST", address(path, about), file.value, { key });
    else await send("POST", path, about, { key });
    renew();
    close();
    notify(t("Saved."), { kind: "good" });
  };
  return form(
    { run, submit: t("Add"), cancel: () => close(), label: t("Document") },
    field(
      { label: t.of("noun", "File"), name: "file" },
      fileInput({ value: file, name: "file", accept: ".pdf,.png,.jpg,.jpeg,.xml" }),
    ),
    all.controls,
  );
}

const edit = (record) =>
  dialog({
    title: t("Edit {name}", { name: record.title }),
    body: (close) => {
      const all = editable(fields(record), record);
      const run = async (element) => {
        if (!(await change(element, `${DOCUMENTS}/${record.id}`, record, all.body(), all.told))) return;
        renew();
        close();
      };
      return form({ run, submit: t("Save"), cancel: () => close(), label: t("Document") }, all.controls);
    },
  });

const act = async ({ id, version }, verb, told) => {
  await send("POST", `${DOCUMENTS}/${id}/${verb}`, {}, { version });
  renew();
  notify(told, { kind: "good" });
};

export function documentActions(record) {
  const { id, title, version, employeeId, attachmentId, can } = record;
  const open = can.includes.bind(can);
  return [
    attachmentId && {
      name: t("Download"),
      icon: "download",
      run: () => download(`/workspace/attachments/${attachmentId}/content`),
    },
    open("replace") && { name: t("Replace"), icon: "upload", run: () => addDocument(employeeId, record) },
    open("done") && {
      name: t("No renewal needed"),
      icon: "check",
      run: () => act(record, "done", t("Reminders for {name} are off.", { name: title })),
    },
    open("change") && { name: t("Edit"), key: "e", icon: "pencil", run: () => edit(record) },
    open("archive") && {
      name: t("Archive"),
      icon: "archive",
      run: () => act(record, "archive", t("{name} archived.", { name: title })),
    },
    open("unarchive") && {
      name: t("Unarchive"),
      icon: "undo-2",
      run: () => act(record, "unarchive", t("{name} unarchived.", { name: title })),
    },
    open("delete") && {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: {
        title: t("Delete {name}?", { name: title }),
        text: t("Its files are deleted too."),
        verb: t("Delete"),
        danger: true,
      },
      run: async () => {
        await send("DELETE", `${DOCUMENTS}/${id}`, undefined, { version });
        renew();
      },
    },
  ].filter(Boolean);
}
