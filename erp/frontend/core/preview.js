// What the server says of something while it is typed: asked at each pause, and only the latest answer counts.
import { send } from "./api.js";
import { effect, signal } from "./view.js";

const PAUSE = 250; // ms after the last key

// `body()` follows signals; the answer is a signal, null until there is one.
export function previewed(path, body) {
  const answer = signal(null);
  let latest = 0;
  effect(() => {
    const request = body();
    const turn = (latest += 1);
    const timer = setTimeout(async () => {
      const found = await send("POST", path, request).catch(() => null);
      if (turn === latest && found) answer.value = found;
    }, PAUSE);
    return () => clearTimeout(timer);
  });
  return answer;
}
