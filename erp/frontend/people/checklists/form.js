// The form of a checklist: its name, and a row for each step.
import { newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { choice, optionsOf } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { memberOptions } from "../employees/choice.js";

const { div, fieldset, legend } = tags;
export const CHECKLISTS = "/hr/checklists";

/** @type {Record<string, () => string>} */
export const KINDS = {
  onboarding: () => t("Onboarding"),
  offboarding: () => t("Offboarding"),
  other: () => t("Other"),
};

const roles = () => [
  { value: "manager", text: t("Manager") },
  { value: "hr", text: t("HR") },
  { value: "person", text: t("The employee") },
];

export function checklistForm(checklist, close) {
  const name = signal(checklist?.name ?? "");
  const kind = signal(checklist?.kind ?? "onboarding");
  const items = signal((checklist?.items ?? [null]).map(itemOf));
  const key = newKey();
  const run = async () => {
    const body = { name: name.value, kind: kind.value, items: items.value.map(sent) };
    if (checklist) await send("PATCH", `${CHECKLISTS}/${checklist.id}`, body, { version: checklist.version });
    else await send("POST", CHECKLISTS, body, { key });
    changed(CHECKLISTS);
    close();
    notify(t("Saved."), { kind: "good" });
  };
  return form(
    { run, submit: t("Save"), cancel: () => close(), label: t("Checklist") },
    div(
      { class: "fields" },
      field({ label: t("Name"), name: "name" }, textInput({ value: name, name: "name", autofocus: !checklist })),
      field(
        { label: t.of("checklist", "Kind"), name: "kind" },
        choice({ value: kind, name: "kind", options: optionsOf(KINDS) }),
      ),
    ),
    () => items.value.map((item, at) => step(item, at, items, nameOf(checklist))),
    button(t("Add step"), () => void (items.value = [...items.peek(), itemOf(null)]), { icon: "plus", isSmall: true }),
  );
}

const itemOf = (item) => ({
  title: signal(item?.title ?? ""),
  days: signal(String(item?.days ?? 0)),
  assignee: signal(item?.assignee ?? "hr"),
  note: signal(item?.note ?? ""),
});

const sent = ({ title, days, assignee, note }) => ({
  title: title.value,
  days: Number(days.value.trim().replace("−", "-")),
  assignee: assignee.value,
  note: note.value || null,
});

// The roles and, once something is typed, the members that fit; a step's own member is named by the checklist.
async function assignees(typed) {
  const fitting = roles().filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase()));
  return typed ? [...fitting, ...await memberOptions(typed)] : fitting;
}

const nameOf = (checklist) => (value) =>
  roles().find((role) => role.value === value)?.text ??
    checklist?.items.find((item) => item.assignee === value)?.assigneeName ?? "";

function step(item, at, items, shown) {
  const name = (part) => `items[${at}].${part}`;
  return fieldset(
    { class: "step-of-list" },
    legend({ class: "field-label" }, t("Step {n}", { n: at + 1 })),
    div(
      { class: "fields" },
      field({ label: t("Task"), name: name("title") }, textInput({ value: item.title, name: name("title") })),
      field(
        { label: t("Days from the start"), name: name("days"), hint: t("−2 is two days before.") },
        textInput({ value: item.days, name: name("days"), inputmode: "text" }),
      ),
      field(
        { label: t("Assignee"), name: name("assignee"), hint: t("A role, or a member: type the name.") },
        combobox({ value: item.assignee, name: name("assignee"), options: assignees, shown }),
      ),
      field(
        { label: t.of("internal", "Note"), name: name("note"), isOptional: true },
        textInput({ value: item.note, name: name("note") }),
      ),
    ),
    items.peek().length > 1 &&
      button(
        t("Remove step {n}", { n: at + 1 }),
        () => void (items.value = items.peek().filter((one) => one !== item)),
        {
          kind: "plain",
          isSmall: true,
          icon: "x",
        },
      ),
  );
}
