// The bell in the header, with the number of unread notices. To open a record is to read what it has told.
import { get, send } from "../../core/api.js";
import { unreadNotices } from "../../core/changes.js";
import { t, tn } from "../../core/i18n.js";
import { bind } from "../../core/keys.js";
import { current, go, path, query } from "../../core/router.js";
import { changed } from "../../core/store.js";
import { effect, tags, untracked } from "../../core/view.js";
import { icon } from "../../ui/icon.js";
import { hrefOf, NOTICES } from "./words.js";

const { a, span } = tags;

export function bell() {
  bind({ "g n": { text: t("Notices"), run: () => void go("/notices") } });
  effect(() => void (current.value && unreadNotices.value && untracked(readShown)));
  const name = () => tn("{n} unread notice", "{n} unread notices", unreadNotices.value);
  return a(
    { class: "button is-plain bell", href: "/notices", "aria-label": name, title: () => t("Notices") },
    icon("bell"),
    () => (unreadNotices.value ? span({ class: "bell-count" }, String(unreadNotices.value)) : null),
  );
}

// They are asked for now: what has told more since it was last asked for has another id.
async function readShown() {
  const here = [path.peek(), `${path.peek()}?${query.peek()}`];
  if (here[0] === "/notices") return;
  const unread = await get(`${NOTICES}?isRead=false&limit=200`, { isByItself: true }).catch(() => []);
  await mark("read", unread.filter((notice) => here.includes(hrefOf(notice))).map(({ id }) => id));
}

export async function mark(how, ids) {
  if (!ids.length) return;
  take(await send("POST", `${NOTICES}/${how}`, { ids }));
}

export const readThrough = async (throughId) => take(await send("POST", `${NOTICES}/read`, { throughId }));

function take(answer) {
  unreadNotices.value = answer.unreadNotices;
  changed(NOTICES);
}
