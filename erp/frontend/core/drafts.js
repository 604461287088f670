// What was typed and not sent, kept in the browser under user, workspace, form and record. Passwords, pay and bank
// accounts are never given to it.
import { newKey } from "./api.js";
import { session } from "./session.js";
import { batch, effect, signal, untracked } from "./signals.js";

const PAUSE = 400; // ms after the last key
const PREFIX = "draft";
const open = new Set(); // the drafts of the forms that are shown

function prefix() {
  const { user, workspace } = session.peek() ?? {};
  return `${PREFIX}/${user?.id}/${workspace?.id ?? ""}/`;
}

// Keep `read()` of a form (plain data, following signals) and put what was kept back with `write`.
export function draft(form, record, { read, write, isEmpty = (_data) => false }) {
  const name = `${prefix()}${form}/${record ?? "new"}`;
  const before = stored(name);
  const initial = untracked(read);
  const state = {
    key: before?.key ?? newKey(),
    isRestored: signal(false),
    savedAt: signal(before?.savedAt ?? null),
    isOver: false,
  };
  if (before) {
    untracked(() => write(before.data));
    state.isRestored.value = true;
  }
  const forget = () => {
    state.isRestored.value = false;
    state.savedAt.value = null;
    localStorage.removeItem(name);
  };
  let timer = null;
  let isFirst = true;
  const keep = (data) => {
    if (state.isOver) return;
    if (isEmpty(data) || JSON.stringify(data) === JSON.stringify(initial)) return forget();
    state.savedAt.value = new Date().toISOString();
    localStorage.setItem(name, JSON.stringify({ key: state.key, savedAt: state.savedAt.peek(), data }));
  };
  let latest = null;
  effect(() => {
    latest = read();
    if (isFirst) return void (isFirst = false);
    clearTimeout(timer);
    timer = setTimeout(() => keep(latest), PAUSE);
  });
  state.keep = () => {
    if (timer === null) return;
    clearTimeout(timer);
    keep(latest);
  };
  open.add(state);
  effect(() => () => {
    open.delete(state);
    state.keep();
  });
  // It has been sent: forget it, and keep nothing more unless the form `goesOn`.
  state.clear = ({ goesOn = false } = {}) => {
    clearTimeout(timer);
    timer = null;
    state.isOver = !goesOn;
    state.key = newKey();
    forget();
  };
  // It is not wanted: the form is as it was before.
  state.discard = () => {
    write(initial);
    state.clear({ goesOn: true });
  };
  return state;
}

// The same of fields by their names: signals, of which those are kept that were changed.
export function draftOfFields(form, record, fields) {
  const entries = Object.entries(fields);
  const before = Object.fromEntries(entries.map(([name, one]) => [name, one.peek()]));
  const isChanged = ([name, now]) => (now ?? "") !== (before[name] ?? "");
  return draft(form, record, {
    read: () => Object.fromEntries(entries.map(([name, one]) => [name, one.value]).filter(isChanged)),
    write: (kept) =>
      batch(() => entries.forEach(([name, one]) => void (one.value = name in kept ? kept[name] : before[name]))),
  });
}

function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

const names = () =>
  Object.keys(localStorage).filter((name) => name.startsWith(`${PREFIX}/${session.peek()?.user.id}/`));

// Its record is deleted.
export const forgetDraftsOf = (id) =>
  names().filter((name) => name.endsWith(`/${id}`)).forEach((name) => localStorage.removeItem(name));

export const countDrafts = () => names().length;

// Also the drafts of forms on the screen, which would keep theirs again when the user leaves them.
export function deleteDrafts() {
  for (const draft of open) draft.clear();
  names().forEach((name) => localStorage.removeItem(name));
}

// A tab that is closed within the pause.
addEventListener("pagehide", () => open.forEach((draft) => draft.keep()));
