// Starting a checklist for a person: from the list, where the person is chosen, or on the page of the person.
import { getAll, newKey, send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { today } from "../../core/parse.js";
import { changed } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { combobox } from "../../ui/combobox.js";
import { dateField } from "../../ui/date.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { employeeOptions } from "../employees/choice.js";

export function startForm(close, { checklist = null, person = null }) {
  const who = signal(person?.id ?? null);
  const which = signal(checklist?.id ?? null);
  const date = signal(today());
  const options = signal([]);
  if (!checklist) load(options, which);
  const key = newKey();
  const run = async () => {
    const body = { employeeId: who.value, date: date.value };
    const { tasks } = await send("POST", `/hr/checklists/${which.value}/start`, body, { key });
    changed("/tasks", "/workspace/home");
    close();
    notify(tn("{n} task added.", "{n} tasks added.", tasks.length), { kind: "good" });
  };
  return form(
    { run, submit: t("Start"), cancel: () => close(), label: t("Start checklist") },
    tags.div(
      { class: "fields" },
      !checklist && (() =>
        field(
          { label: t("Checklist"), name: "checklistId" },
          choice({ value: which, name: "checklistId", options: options.value }),
        )),
      !person &&
        field(
          { label: t("Employee"), name: "employeeId" },
          combobox({ value: who, name: "employeeId", options: employeeOptions }),
        ),
      field(
        { label: t("First or last day"), name: "date", hint: t("The days of the steps count from it.") },
        dateField({ value: date, name: "date" }),
      ),
    ),
  );
}

async function load(options, which) {
  options.value = (await getAll("/hr/checklists?limit=200")).map(({ id, name }) => ({ value: id, text: name }));
  which.value ??= options.value[0]?.value ?? null;
}
