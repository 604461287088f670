// What was said about a task.
import { newKey, send } from "../../core/api.js";
import { ago } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { each, signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textArea } from "../../ui/input.js";

const { div, li, p, span, strong, ul } = tags;

export function comments(id) {
  const found = list(`/tasks/${id}/comments`);
  const text = signal("");
  const state = { key: newKey() };
  const run = async () => {
    await send("POST", `/tasks/${id}/comments`, { text: text.value }, { key: state.key });
    state.key = newKey();
    text.value = "";
    changed(`/tasks/${id}/comments`);
  };
  const row = (one) =>
    li(
      { class: "stack-tight" },
      div(
        { class: "row" },
        strong(one.value.author?.name ?? t("Someone")),
        span({ class: "soft small" }, ago(one.value.createdAt)),
      ),
      p(one.value.text),
    );
  return card(
    { title: t("Comments") },
    ul({ class: "plain-list" }, each(() => found.items ?? [], (one) => one.id, row)),
    may("tasks.write_own") &&
      form(
        { run, submit: t("Comment"), label: t("Comment") },
        field({ label: t("Comment"), name: "text", isHidden: true }, textArea({ value: text, name: "text", rows: 2 })),
      ),
  );
}
