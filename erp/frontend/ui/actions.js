// What a screen can do: { name, key, icon, may, run, main, asks, isShown, danger }. From the same list come the buttons, the
// menu, the palette and the keys.
import { t } from "../core/i18n.js";
import { go } from "../core/router.js";
import { may } from "../core/session.js";
import { tried } from "../core/notices.js";
import { button, link } from "./button.js";
import { confirm } from "./dialog.js";

// The way to adding many records at once from a table, such as `books/contacts`.
export const importing = (table, right) => ({
  name: t("Import data"),
  icon: "upload",
  may: right,
  run: () => go(`/import/${table}`),
});

// Those that are possible now; a list, or a function that follows signals.
export function possible(actions) {
  const all = (typeof actions === "function" ? actions() : actions) ?? [];
  return all.flat().filter((action) => action && may(action.may) && (!action.isShown || action.isShown()));
}

// Ask if it asks, then do it. `asks` is { title, text, figures, verb, danger } or a function that answers that.
export function perform(action, ...about) {
  return tried(async () => {
    const question = typeof action.asks === "function" ? await action.asks(...about) : action.asks;
    if (question && !(await confirm({ verb: action.name, danger: action.danger, ...question }))) return undefined;
    return action.run(...about);
  });
}

export function actionButton(action, about = {}) {
  const kind = action.danger ? "danger" : action.main ? "main" : null;
  const shape = { kind, icon: action.icon, key: action.key, class: action.isStep && "is-step", ...about };
  return action.href ? link(action.name, action.href, shape) : button(action.name, () => perform(action), shape);
}
