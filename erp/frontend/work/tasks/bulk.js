// Several tasks changed at once: the actions of those that are chosen.
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { signal } from "../../core/view.js";

// `selected` has the ids of the tasks that are chosen, and `gone` of those that are about to be deleted.
export function choosing() {
  const [selected, gone] = [signal(new Set()), signal(new Set())];
  const change = (name, text, key, icon) => ({
    name: text,
    key,
    icon,
    run: async (rows) => (await import("./several.js")).changeAll(rows, name, selected),
  });
  const archive = (verb, name, icon) => ({
    name,
    icon,
    fits: (rows) => rows.some(({ can }) => can.includes(verb)),
    run: async (rows) => {
      const some = rows.filter(({ can }) => can.includes(verb));
      await (await import("../../ui/lists/archive.js")).archiveAll(some, "/tasks", selected, verb);
    },
  });
  const bulk = [
    change("status", t("Status"), "u", "circle-check"),
    change("assigneeUserIds", t("Who"), "a", "user"),
    change("dueDate", t("Due date"), "d", "calendar"),
    change("projectId", t("Project"), "p", "folder"),
    change("priority", t("Priority"), "r", "arrow-up"),
    change("tags", t("Tags"), "t", "tag"),
    archive("archive", t("Archive"), "archive"),
    archive("unarchive", t("Unarchive"), "undo-2"),
    {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      run: async (rows) => (await import("./several.js")).removeAll(rows, selected, gone),
    },
  ];
  return { selected: may("tasks.write_own") ? selected : undefined, gone, bulk };
}
