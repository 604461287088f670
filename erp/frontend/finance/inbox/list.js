// The inbox: files that came in, and that become bills or go to a record.
import { address, get, newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { go } from "../../core/router.js";
import { may } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { attachments } from "../../ui/attachments.js";
import { button } from "../../ui/button.js";
import { combobox } from "../../ui/combobox.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { TOUCHED } from "../payments/touched.js";

const { div, p } = tags;
const PATH = "/workspace/attachments";

export default () => ({
  title: t("Inbox"),
  actions: () => [{
    name: t("Photograph a receipt"),
    icon: "receipt",
    main: true,
    may: "finance.write",
    isShown: () => matchMedia("(pointer: coarse)").matches,
    run: photograph,
  }],
  body: div(
    { class: "stack document" },
    p(
      { class: "soft" },
      t("Add received files: PDF, PNG, JPEG or XML, up to 25 MiB each. An e-invoice becomes a bill automatically."),
    ),
    attachments({ of: null, canAdd: may("finance.write"), tools: toolsOf }),
  ),
});

// The photo goes into the inbox, and the form of its bill opens.
function photograph() {
  const picker = tags.input({
    type: "file",
    accept: "image/*,application/pdf",
    capture: "environment",
    onchange: async () => {
      const [photo] = picker.files;
      if (!photo) return;
      const file = await (await import("../../ui/photo.js")).shrunk(photo);
      try {
        const added = await send("POST", address(PATH, { name: file.name }), file, { key: newKey() });
        changed(PATH);
        await go(`/inbox/${added.id}`);
      } catch (refusal) {
        notify(refusal.reason, { kind: "bad" });
      }
    },
  });
  picker.click();
}

const toolsOf = (file) => [
  file.can.includes("bill") &&
  button(t("Create bill"), () => makeBill(file), {
    icon: "receipt",
    isSmall: true,
    name: t("Create bill from {name}", { name: file.name }),
  }),
  file.can.includes("file") &&
  button(t("Attach"), () => fileIt(file), {
    icon: "folder",
    isSmall: true,
    name: t("Attach {name} to a record", { name: file.name }),
  }),
];

const HAVE_FILES = ["invoice", "payment", "journal_entry", "contact", "project", "task", "employee"];

const fileIt = (file) =>
  dialog({ title: t("Attach {name}", { name: file.name }), body: (close) => filing(file, close) });

// The record to which a file belongs, found by what one types.
function filing(file, close) {
  const record = signal(null);
  const key = newKey();
  const run = async () => {
    const [resourceType, resourceId] = (record.value ?? "/").split("/");
    const body = { resourceType: resourceType || null, resourceId: resourceId || null };
    const filed = await send("POST", `${PATH}/${file.id}/file`, body, { key }).catch(atRecord);
    changed(PATH, ...TOUCHED);
    close();
    notify(t("{file} attached to {record}.", { file: file.name, record: filed.resourceName }), { kind: "good" });
  };
  return form(
    { run, submit: t("Attach"), cancel: () => close(), label: t("Attach {name}", { name: file.name }) },
    field({
      label: t("Record"),
      name: "resourceId",
      hint: t("Type a number, a name or an amount: an invoice, payment, entry, contact, project, task or person."),
    }, combobox({ value: record, name: "resourceId", options: records, shown: () => "" })),
  );
}

async function records(typed) {
  if (typed.length < 2) return [];
  const found = await get(address("/workspace/search", { q: typed }));
  return (found.items ?? found).filter(({ type }) => HAVE_FILES.includes(type)).map((
    { type, id, title, subtitle },
  ) => ({
    value: `${type}/${id}`,
    text: title,
    more: subtitle,
  }));
}

// One field stands for the kind of the record and for the record.
function atRecord(refusal) {
  const details = refusal.details?.map((one) => ({ ...one, field: "resourceId" }));
  throw Object.assign(refusal, { details });
}

// An e-invoice says all by itself; another file stands beside the form of the bill.
async function makeBill(file) {
  try {
    await made(await send("POST", `${PATH}/${file.id}/bill`, {}, { key: newKey() }));
  } catch (refusal) {
    if (refusal.code !== "unreadable") throw refusal;
    await go(`/inbox/${file.id}`);
  }
}

async function made(bill) {
  changed(PATH, ...TOUCHED, "/finance/contacts");
  await go(`/bills/${bill.id}`);
}
