// The tasks that a task consists of, and the one that it is part of.
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { list } from "../../core/store.js";
import { each, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { statusPill } from "../names.js";
import { newTask } from "./new.js";

const { a, li, p, ul } = tags;

export function subtasks(get) {
  const { id, projectId } = get();
  const found = list(`/tasks?parentId=${id}&sort=position`);
  const row = (one) =>
    li(
      { class: "spread" },
      a({ href: `/tasks/${one.peek().id}` }, () => `${one.value.key} ${one.value.title}`),
      () => statusPill(one.value),
    );
  return card(
    {
      title: t("Subtasks"),
      actions: may("tasks.write_own")
        ? [button(t("New subtask"), () => newTask({ projectId, parentId: id }), { icon: "plus" })]
        : [],
    },
    ul({ class: "plain-list" }, each(() => found.items ?? [], (one) => one.id, row)),
  );
}

export const partOf = (get) => () =>
  get().parentId
    ? p(
      { class: "small" },
      t("Part of"),
      " ",
      a({ href: `/tasks/${get().parentId}` }, get().parentKey),
      ` ${get().parentTitle}`,
    )
    : null;
