// Requests that are decided or withdrawn here: gone from the list at once, sent a little later, back if that is undone.
import { send } from "../../core/api.js";
import { t, tn } from "../../core/i18n.js";
import { notify, tried } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { heldBackFrom } from "../../core/undo.js";
import { signal } from "../../core/view.js";

export function heldDecisions() {
  const gone = signal(new Set());
  const act = (id, text, path) =>
    heldBackFrom(gone, id, text, async (options) => {
      await send("POST", path, {}, options);
      changed("/hr/", "/workspace/home");
    });
  return { isGone: ({ id }) => gone.value.has(id), act };
}

export const undoAction = (path, name) => ({
  name: t("Undo decision"),
  run: () =>
    tried(async () => {
      await send("POST", `${path}/decision/undo`, {});
      changed("/hr/", "/workspace/home");
      notify(t("Decision undone. {name}’s request is waiting again.", { name }), { kind: "good" });
    }),
});

/**
 * What decides several requests at once, all or none: `path` takes the decisions, each naming its request as `name`.
 * @param {{ path: string, name: string, selected: any, textOf: (row: any) => string }} about
 */
export const decidedTogether = ({ path, name, selected, textOf }) =>
  ["approve", "reject"].map((decision) => {
    const able = (rows) => rows.filter(({ can }) => can.includes(decision));
    const verb = decision === "approve" ? t.of("request", "Approve") : t.of("request", "Reject");
    return {
      name: verb,
      danger: decision === "reject",
      fits: (rows) => able(rows).length > 0,
      asks: (rows) => ({
        title: decision === "approve"
          ? tn("Approve {n} request?", "Approve {n} requests?", able(rows).length)
          : tn("Reject {n} request?", "Reject {n} requests?", able(rows).length),
        figures: able(rows).map((row) => [row.employeeName, textOf(row)]),
        verb,
        danger: decision === "reject",
      }),
      run: async (rows) => {
        await send("POST", path, { decisions: able(rows).map(({ id }) => ({ [name]: id, decision })) });
        selected.value = new Set();
        changed("/hr/", "/workspace/home");
        notify(decision === "approve" ? t("Approved.") : t.of("request", "Rejected."), { kind: "good" });
      },
    };
  });
