// Checklists: what is to be done when someone joins or leaves, by whom and when.
import { send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { changed, list } from "../../core/store.js";
import { tags } from "../../core/view.js";
import { confirm, dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { table } from "../../ui/table.js";
import { checklistForm, CHECKLISTS, KINDS } from "./form.js";
import { startForm } from "./start.js";

export default () => ({
  title: t("Checklists"),
  back: { href: "/people", text: t("People") },
  actions: [{
    name: t("New checklist"),
    key: "n",
    main: true,
    icon: "plus",
    may: "employees.write",
    run: () => edit(null),
  }],
  body: tags.div(
    { class: "stack" },
    tags.p(
      { class: "soft" },
      t("Started for a person, each step becomes a task that only its assignees and HR see."),
    ),
    table({
      label: t("Checklists"),
      page: "checklists",
      list: list(() => CHECKLISTS),
      key: ({ id }) => id,
      columns: [
        { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
        { key: "kind", text: t.of("checklist", "Kind"), place: "meta", cell: ({ kind }) => KINDS[kind]() },
        {
          key: "items",
          text: t("Steps"),
          place: "figure",
          isFigure: true,
          width: "7rem",
          cell: ({ items }) => tn("{n} step", "{n} steps", items.length),
        },
      ],
      actions: (checklist) => [
        { name: t("Start"), icon: "play", key: "s", run: () => start(checklist) },
        { name: t("Edit"), icon: "pencil", key: "e", run: () => edit(checklist) },
        { name: t("Delete"), icon: "trash-2", run: () => remove(checklist) },
      ],
      empty: empty(t("No checklists yet.")),
    }),
  ),
});

const edit = (checklist) =>
  dialog({
    title: checklist ? checklist.name : t("New checklist"),
    size: "wide",
    body: (close) => checklistForm(checklist, close),
  });

const start = (checklist) => dialog({ title: checklist.name, body: (close) => startForm(close, { checklist }) });

async function remove({ id, name }) {
  const text = t("Tasks that were made of it stay.");
  if (!(await confirm({ title: t("Delete {name}?", { name }), text, verb: t("Delete"), danger: true }))) return;
  await send("DELETE", `${CHECKLISTS}/${id}`);
  changed(CHECKLISTS);
}
