// The time that was logged on a task.
import { send } from "../../core/api.js";
import { dayShort, duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { may } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { heldBackFrom } from "../../core/undo.js";
import { computed, each, signal, tags } from "../../core/view.js";
import { button, iconButton } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { empty } from "../../ui/empty.js";
import { billablePill } from "../time/billable.js";
import { editLog, logTime } from "../time/dialog.js";
import { TOUCHED } from "../names.js";

const { div, li, p, span, ul } = tags;

export function spent(id, get) {
  const logs = list(() => (may("time.read_own") ? `/tasks/${id}/time-logs` : null));
  const gone = signal(new Set());
  const remove = (log) =>
    heldBackFrom(gone, log.id, t("{duration} deleted.", { duration: duration(log.minutes) }), async (options) => {
      await send("DELETE", `/tasks/time-logs/${log.id}`, undefined, options);
      changed(...TOUCHED);
    });
  const shown = () => (logs.items ?? []).filter((log) => !gone.value.has(log.id));
  const row = (log) => {
    const can = (action) => computed(() => log.value.can.includes(action));
    const [isOpen, isRemovable] = [can("update"), can("delete")];
    return li(
      { class: "spread" },
      div(
        span(() => `${dayShort(log.value.date)} · ${log.value.userName}`),
        () => div({ class: "row soft small" }, log.value.note, billablePill(log.value)),
      ),
      span({ class: "figure" }, () => duration(log.value.minutes)),
      () => isOpen.value && iconButton("pencil", t("Edit"), () => editLog(log.peek()), { isSmall: true }),
      () => isRemovable.value && iconButton("trash-2", t("Delete"), () => remove(log.peek()), { isSmall: true }),
    );
  };
  return card(
    {
      title: t("Time"),
      actions: may("time.write_own") ? [button(t("Log time"), () => logTime(get()), { icon: "plus" })] : [],
    },
    p(
      () => (get().estimateMinutes
        ? t("{logged} of {estimate}", {
          logged: duration(get().loggedMinutes),
          estimate: duration(get().estimateMinutes),
        })
        : duration(get().loggedMinutes)),
    ),
    () => logs.items && !shown().length && empty(t("No time entries yet.")),
    ul({ class: "plain-list" }, each(shown, (log) => log.id, row)),
  );
}
