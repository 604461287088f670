// The files of a record, or of the inbox: what there is, and adding more by a button or by dropping them.
import { address, download, newKey, send } from "../core/api.js";
import { ago, size } from "../core/format.js";
import { t } from "../core/i18n.js";
import { notify } from "../core/notices.js";
import { changed, list } from "../core/store.js";
import { each, signal, tags } from "../core/view.js";
import { problem } from "./alert.js";
import { button, iconButton } from "./button.js";
import { card } from "./card.js";
import { confirm } from "./dialog.js";
import { empty } from "./empty.js";

const PATH = "/workspace/attachments";
const ACCEPTED = ".pdf,.png,.jpg,.jpeg,.xml";
const { button: plainButton, div, input, li, span, ul } = tags;

// `of` is a record as { resourceType, resourceId }, or null for the inbox; `tools(file)` has more buttons of a file.
export function attachments({ of, canAdd, title = t("Files"), tools = () => [] }) {
  const found = list(address(PATH, of ?? { isFiled: false }));
  const [isOver, isBusy] = [signal(false), signal(false)];
  const add = async (files) => {
    isBusy.value = true;
    for (const file of files) await addOne(file, of);
    isBusy.value = false;
    changed(PATH);
  };
  const picker = input({
    type: "file",
    multiple: true,
    hidden: true,
    accept: ACCEPTED,
    "aria-label": t("Add files"),
    onchange: async (event) => {
      await add([...event.target.files]);
      event.target.value = "";
    },
  });
  return div(
    { class: () => `attachments${isOver.value ? " is-over" : ""}`, ...(canAdd ? dropping(isOver, add) : {}) },
    card(
      {
        title,
        actions: canAdd ? [button(t("Add files"), () => picker.click(), { icon: "paperclip", isSmall: true })] : [],
      },
      canAdd && picker,
      problem(() => found.problem, () => found.renew()),
      () => (found.items?.length === 0 ? empty(canAdd ? t("Drop files here, or add them.") : t("No files.")) : null),
      ul(
        { class: "plain-list", "aria-busy": () => (isBusy.value ? "true" : null) },
        each(() => found.items ?? [], (one) => one.id, (one) => row(one, tools)),
      ),
      () => (found.hasMore ? button(t("Show more"), () => found.more(), { isSmall: true }) : null),
    ),
  );
}

const dropping = (isOver, add) => ({
  ondragover: (event) => {
    event.preventDefault();
    isOver.value = true;
  },
  ondragleave: () => void (isOver.value = false),
  ondrop: (event) => {
    event.preventDefault();
    isOver.value = false;
    add([...event.dataTransfer.files]);
  },
});

// What is refused of one file does not keep the others back.
async function addOne(file, of) {
  try {
    const added = await send("POST", address(PATH, { name: file.name, ...of }), file, { key: newKey() });
    for (const warning of added.warnings) notify(warning);
  } catch (refusal) {
    notify(t("{name}: {why}", { name: file.name, why: refusal.reason }), { kind: "bad" });
  }
}

function row(one, tools) {
  const file = one.value;
  return li(
    { class: "spread" },
    div(
      { class: "stack-tight" },
      plainButton({ type: "button", class: "file-name", onclick: () => save(file) }, file.name),
      span(
        { class: "soft small" },
        [size(file.size), file.createdByName, ago(file.createdAt)].filter(Boolean).join(" · "),
      ),
    ),
    div(
      { class: "row" },
      () => tools(one.value),
      () =>
        one.value.can.includes("delete")
          ? iconButton("trash-2", t("Remove {name}", { name: file.name }), () => remove(one.value))
          : null,
    ),
  );
}

const save = async (file) => {
  try {
    await download(`${PATH}/${file.id}/content`);
  } catch (refusal) {
    notify(refusal.reason, { kind: "bad" });
  }
};

async function remove(file) {
  const asks = { title: t("Remove {name}?", { name: file.name }), verb: t("Remove"), danger: true };
  if (!(await confirm({ ...asks, text: t("The file is deleted if no other record has it.") }))) return;
  await send("DELETE", `${PATH}/${file.id}`, undefined, { version: file.version });
  changed(PATH);
}
