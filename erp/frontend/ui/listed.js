// The list of a screen is a table with a name, its `page`: its columns are chosen, its rows are saved in files, and its
// views have a place in the head of the page. A report has views alone.
import { t } from "../core/i18n.js";
import { query } from "../core/router.js";
import { session } from "../core/session.js";
import { computed, onDrop, signal } from "../core/view.js";
import { iconButton } from "./button.js";
import { later } from "./later.js";

const listed = signal(null);

// Called by a table that has a name, with its state.
export function register(state) {
  listed.value = state;
  onDrop(() => listed.peek() === state && (listed.value = null));
}

export const registerReport = (page) => register({ page, all: [], columns: signal([]), isReport: true });

// The columns that this browser keeps for a user, where the address names none.
const nameOf = (page) => `columns/${session.peek()?.user.id}/${page}`;
const kept = signal(0);

export function keepColumns(page, keys) {
  keys ? localStorage.setItem(nameOf(page), keys) : localStorage.removeItem(nameOf(page));
  kept.value += 1;
}

// Whether the address names a view.
export const NONE = "-"; // no view, though one is the default
export const isViewed = () => ![null, NONE].includes(query.value.get("saved"));

export function keptColumns(page) {
  return kept.value >= 0 && localStorage.getItem(nameOf(page));
}

const askedOf = (page) => query.value.get("columns") ?? (isViewed() ? null : keptColumns(page));

// The columns of a table: those chosen, in their order, else all but those that are `isExtra`. The first stays.
export function columnsOf({ page, columns }) {
  if (!page) return signal(columns);
  const asked = computed(() => askedOf(page));
  return computed(() => {
    if (!asked.value) return columns.filter(({ isExtra }) => !isExtra);
    const [first, ...rest] = columns;
    const named = asked.value.split(",").map((text) => text.split(":"));
    const sized = (column) => ({ ...column, pixels: Number(named.find(([key]) => key === column.key)?.[1]) || null });
    const wanted = named.map(([key]) => rest.find((one) => one.key === key)).filter(Boolean);
    return [first, ...wanted].map(sized);
  });
}

// A column that a list offers, but does not show at first.
export const extra = (key, text, cell, about = {}) => ({ key, text, cell, isExtra: true, ...about });

export function columnsButton(state) {
  const open = async () => (await import("./lists/columns.js")).columnsMenu(state, button);
  const button = iconButton("columns-3", t("Columns"), open, { isSmall: true, class: "columns-button" });
  button.setAttribute("aria-haspopup", "dialog");
  return button;
}

// The views of the list, where it has any: its name is none that is an address.
export const viewsOfList = () =>
  listed.value && !listed.value.page.startsWith("/") &&
  later(async () => (await import("./lists/views.js")).viewsOf, listed.value);

// The chosen rows as a file.
export const exporting = (state) =>
  state.list && {
    name: t.of("act", "Export"),
    icon: "download",
    run: async (rows) => (await import("./lists/files.js")).saveChosen(state, rows),
  };

// What is done with the list as it is filtered and sorted.
export function actionsOfList() {
  const state = listed.value;
  if (!state || state.isReport) return [];
  const act = (name, icon, run) => ({ name, icon, isAside: true, run });
  const save = (format) => async () => (await import("./lists/files.js")).save(state, format);
  const isOnServer = state.list || state.path;
  return [
    act(t("Columns"), "columns-3", async () => (await import("./lists/columns.js")).columnsDialog(state)),
    isOnServer && act(t("CSV"), "download", save("csv")),
    isOnServer && act(t("Excel"), "download", save("xlsx")),
    act(t("Print"), "printer", async () => (await import("./lists/files.js")).onPaper(state)),
  ].filter(Boolean);
}
