// The records that were opened last, in this browser: for each user and workspace. They are deleted at sign-out, and when
// another user comes.
import { current, path } from "./router.js";
import { session } from "./session.js";
import { effect } from "./signals.js";

const MOST = 8;
const PREFIX = "recent/";
const RECORD = /^\/(?!settings|inbox)[^:]+\/:id$/;
const nameOf = ({ user, workspace }) => `${PREFIX}${user.id}/${workspace.id}`;

const idOf = ({ href }) => href.split("/").at(-1); // a bill may have been opened as an invoice

// [{ href, text, under }], the last one first.
export function recent() {
  try {
    return JSON.parse(localStorage.getItem(nameOf(session.peek()))) ?? [];
  } catch {
    return [];
  }
}

// A record is remembered once its name is known.
export const followRecent = () =>
  effect(() => {
    const { route, title } = current.value ?? {};
    const text = typeof title === "function" ? title() : title;
    if (!session.peek()?.workspace || !RECORD.test(route?.pattern) || !text || text === "…") return;
    const href = path.peek();
    const others = recent().filter((one) => idOf(one) !== idOf({ href }));
    const all = [{ href, text, under: route.under }, ...others].slice(0, MOST);
    localStorage.setItem(nameOf(session.peek()), JSON.stringify(all));
  });

export const forgetRecent = (userId = null) =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(PREFIX) && !name.startsWith(`${PREFIX}${userId}/`))
    .forEach((name) => localStorage.removeItem(name));
