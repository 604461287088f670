// Requests that are decided or withdrawn here: gone from the list at once, sent a little later, back if that is undone.
import { send } from "../../core/api.js";
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
