// What is to do: the fields of a task. They follow the server until something is typed, and keep that.
import { draft } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { batch, effect, untracked } from "../../core/view.js";
import { change } from "../../ui/changing.js";
import { editable, factsOf } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { people, TOUCHED } from "../names.js";
import { ratesOf } from "../rates.js";
import { taskFields } from "./fields.js";

// `get` answers the task as the server has it.
export function taskForm(get) {
  const names = people();
  return get().can.includes("update")
    ? untracked(() => editing(get, editable(taskFields(get, names), get())))
    : () => factsOf(taskFields(), get());
}

function editing(get, fields) {
  let base = get();
  const isTyped = () => Object.keys(fields.body()).length > 0;
  const follow = (task, sent) => (base = task, fields.take(task, sent));
  const kept = keptOf(base, fields);
  kept.discard = () => (kept.clear({ goesOn: true }), follow(get(), fields.body()));
  effect(() => {
    const task = get();
    untracked(() => isTyped() || follow(task));
  });
  const run = async (element) => {
    if (!isTyped()) return;
    const body = fields.body();
    const saved = await change(element, `/tasks/${base.id}`, base, body, fields.told);
    if (!saved) return;
    follow(saved, body); // what was typed since is a change of this
    kept.clear({ goesOn: true });
    if (saved.isTheirs) return;
    changed(...TOUCHED);
    notify(t("{key} saved.", { key: saved.key }), { kind: "good" });
  };
  return [
    form({ run, submit: t("Save"), label: t("Task"), draft: kept }, fields.controls),
    ratesOf(`/tasks/${base.id}`, base),
  ];
}

// What has been typed and not sent, which is more than what differs from how the form began.
const keptOf = ({ id }, { signals, typed }) =>
  draft("task", id, {
    read: () => Object.fromEntries(Object.entries(typed()).map(([name, one]) => [name, one.value])),
    write: (data) => batch(() => Object.entries(data).forEach(([name, value]) => void (signals[name].value = value))),
  });
