// Requests that are decided or withdrawn here: gone from the list at once, sent a little later, back if that is undone.
import { send } from "../core/api.js";
import { changed } from "../core/store.js";
import { heldBack } from "../core/undo.js";
import { signal } from "../core/view.js";

export function deciding() {
  const gone = signal(new Set());
  const mark = (id, isGone) => {
    const next = new Set(gone.peek());
    isGone ? next.add(id) : next.delete(id);
    gone.value = next;
  };
  const act = (id, text, path) => {
    mark(id, true);
    const call = async (options) => {
      await send("POST", path, {}, options);
      changed("/hr/", "/workspace/home");
    };
    return heldBack(text, call, () => mark(id, false));
  };
  return { isGone: ({ id }) => gone.value.has(id), act };
}
