// What the server says of something while it is typed: asked at each pause, and only the latest answer counts.
import { changing, send } from "./api.js";
import { effect, signal } from "./signals.js";

const PAUSE = 250; // ms after the last key

// `body()` follows signals, and is null while there is nothing to ask; the answer is a signal, null until there is one.
// `refused` gets the refusals. While something is being changed nothing is asked: once it is, it may not be possible again.
export function previewed(path, body, refused = (_refusal) => {}) {
  const answer = signal(null);
  let latest = 0;
  effect(() => {
    const request = body();
    const turn = (latest += 1);
    if (!request) return void (answer.value = null);
    if (changing.value) return undefined;
    const timer = setTimeout(async () => {
      try {
        const found = await send("POST", path, request, { isByItself: true });
        if (turn === latest) answer.value = found;
      } catch (refusal) {
        if (turn === latest) refused(refusal);
      }
    }, PAUSE);
    return () => clearTimeout(timer);
  });
  return answer;
}
