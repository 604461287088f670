// The views of a list or report: filters, order and columns under a name, one's own or shared. The address says what is shown; `saved`
// in it names the view that it began with.
import { address, newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { bind } from "../../core/keys.js";
import { notify } from "../../core/notices.js";
import { asked, go, query } from "../../core/router.js";
import { may, session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { heldBackFrom, inverse } from "../../core/undo.js";
import { computed, effect, signal, tags, untracked } from "../../core/view.js";
import { button } from "../button.js";
import { dialog } from "../dialog.js";
import { editable } from "../fields.js";
import { form } from "../form.js";
import { icon } from "../icon.js";
import { isViewed, keptColumns, NONE } from "../listed.js";
import { openMenu } from "../menu.js";

const VIEWS = "/workspace/views";
const ASIDE = ["saved", "columns", "sort", "task", "key", "field"]; // what is no filter; of a report, all is one but the name of its view

const gone = signal(new Set());

export function viewsOf(state) {
  const { page } = state;
  const found = resource(() => address(VIEWS, { page, limit: 200 }));
  const views = computed(() => found.value?.filter(({ id }) => !gone.value.has(id)) ?? []);
  const chosen = computed(() => views.value.find(({ id }) => id === query.value.get("saved")) ?? null);
  const isChanged = computed(() =>
    chosen.value && text(state, shown(state)) !== text(state, fitting(state, chosen.value))
  );
  effect(() => void (state.ofView = chosen.value && keysOf(state, fitting(state, chosen.value))));
  let isOpen = false;
  effect(() => {
    if (!found.value || isOpen) return;
    isOpen = true;
    untracked(() => begin(state, views.value));
  });
  const all = { state, views, chosen, isChanged };
  const open = () => void openMenu(opener, entries(all), { label: t("Views") });
  const opener = tags.button(
    { type: "button", class: "button is-plain", "aria-haspopup": "menu", "aria-expanded": "false", onclick: open },
    () => named(chosen.value, isChanged.value),
    icon("chevron-down"),
  );
  bind({ v: { text: t("Views"), run: open } });
  return tags.div(
    { class: "views" },
    opener,
    () =>
      isChanged.value && chosen.value.can.includes("update") && button(t("Save"), () => save(all), { isSmall: true }),
    () => isChanged.value && button(t("Save as"), () => saveAs(all), { isSmall: true }),
  );
}

function named(view, isChanged) {
  if (!view) return t("Views");
  return [
    tags.span({ class: "view-name" }, t("View: {name}", { name: view.name }), isChanged && "*"),
    (view.isDefault || view.isDefaultForAll) && star(),
  ];
}

const star = () => [" ", tags.span({ role: "img", "aria-label": t("Default") }, "★")];

// A list that is opened without filters shows the view that is the default, one's own before the one for all. What else
// the address says counts more than the view that it names.
function begin(state, views) {
  const now = new URLSearchParams(location.search);
  const id = now.get("saved");
  const isBare = [...now.keys()].every((name) => name === "saved");
  const wanted = id
    ? views.find((view) => view.id === id)
    : views.find(({ isDefault }) => isDefault) ?? views.find(({ isDefaultForAll }) => isDefaultForAll);
  if (isBare && wanted) choose(state, wanted);
}

// The filters, columns and order that are shown now.
function shown(state) {
  const now = new URLSearchParams(
    [...query.value].filter(([name]) => name !== "saved" && (state.isReport || !ASIDE.includes(name))),
  );
  const isUsual = !query.value.get("columns") && (isViewed() || !keptColumns(state.page));
  return {
    query: String(now),
    columns: isUsual ? [] : state.columns.value.map(({ key, pixels }) => ({ key, ...(pixels && { width: pixels }) })),
    sort: query.value.get("sort"),
  };
}

// What this list knows of a view, and the names of what it does not know.
function fitting(state, { query: filters, columns, sort }) {
  const given = [...new URLSearchParams(filters)];
  /** @type {(one: string[]) => boolean} */
  const isKnown = ([name]) => asked.has(name.replace(/^not\./, ""));
  const known = columns.filter(({ key }) => state.all.some((one) => one.key === key));
  const sorts = state.all.some((one) => one.sort && one.sort === sort?.replace(/^-/, ""));
  return {
    query: String(new URLSearchParams(given.filter(isKnown))),
    columns: known,
    sort: sorts ? sort : null,
    unknown: [
      ...given.filter((one) => !isKnown(one)).map(([name]) => name),
      ...columns.filter((one) => !known.includes(one)).map(({ key }) => key),
      ...(sort && !sorts ? [sort] : []),
    ],
  };
}

const text = (state, view) =>
  JSON.stringify([[...new URLSearchParams(view.query)].sort(), keysOf(state, view), view.sort]);

// The columns as the address has them, which leaves out the first; null for the usual ones.
function keysOf({ all: [first] }, { columns }) {
  const others = columns.filter(({ key, width }) => key !== first.key || width);
  return columns.length ? others.map(({ key, width }) => (width ? `${key}:${width}` : key)).join() || NONE : null;
}

function choose(state, view) {
  const { query: filters, columns, sort, unknown } = fitting(state, view);
  const next = new URLSearchParams(filters);
  if (columns.length) next.set("columns", keysOf(state, { columns }));
  if (sort) next.set("sort", sort);
  next.set("saved", view.id);
  if (unknown.length) {
    notify(
      t("Left out of {view}, as it is not known here: {names}.", { view: view.name, names: unknown.join(", ") }),
    );
  }
  return go(`${location.pathname}?${next}`, { replace: true });
}

const withoutView = (views) =>
  go(location.pathname + (views.some((one) => one.isDefault || one.isDefaultForAll) ? `?saved=${NONE}` : ""), {
    replace: true,
  });

function entries(all) {
  const { state, views, chosen, isChanged } = all;
  const view = chosen.value;
  const mayChange = view?.can.includes("update");
  const isMine = (one) => one.ownerUserId === session.value.user.id;
  const entry = (one) => ({
    name: [
      one.name,
      !isMine(one) && one.ownerName && tags.span({ class: "soft" }, ` · ${one.ownerName}`),
      (one.isDefault || one.isDefaultForAll) && star(),
    ].filter(Boolean),
    icon: one === view ? "check" : null,
    run: () => choose(state, one),
  });
  return [
    ...views.value.map(entry),
    view !== null && { name: t("No view"), run: () => withoutView(views.value) },
    (view !== null || views.value.length > 0) && null,
    view !== null && mayChange && isChanged.value && { name: t("Save"), run: () => save(all) },
    { name: saveText(state), icon: "plus", run: () => saveAs(all) },
    ...(view ? acts(all, view, mayChange) : []),
  ].filter((one) => one !== false && one !== undefined);
}

function acts({ views }, view, mayChange) {
  const { isShared, isDefault, isDefaultForAll, name } = view;
  const patch = (body) => change(view, body);
  return [
    mayChange && { name: t("Rename"), icon: "pencil", run: () => rename(view) },
    mayChange && canShare() && {
      name: isShared ? t("Stop sharing") : t("Share"),
      icon: "users",
      run: () => patch(isShared ? { isShared: false, isDefaultForAll: false } : { isShared: true }),
    },
    {
      name: isDefault ? t("No longer my default") : t("Default for me"),
      icon: "check",
      run: () => patch({ isDefault: !isDefault }),
    },
    isShared && may("workspace.write") && {
      name: isDefaultForAll ? t("No longer the default for all") : t("Default for all"),
      icon: "users-round",
      run: () => patch({ isDefaultForAll: !isDefaultForAll }),
    },
    view.can.includes("delete") && {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      run: async () => {
        heldBackFrom(gone, view.id, t("View {name} deleted.", { name }), async (options) => {
          await send("DELETE", `${VIEWS}/${view.id}`, undefined, { ...options, version: view.version });
          changed(VIEWS);
        });
        await withoutView(views.value);
      },
    },
  ];
}

const canShare = () => session.value.workspace.role !== "viewer";

async function change({ id, version }, body) {
  const now = await send("PATCH", `${VIEWS}/${id}`, body, { version });
  await changed(VIEWS);
  return now;
}

// The view takes what is shown; what it had before comes back by undo.
async function save({ state, chosen }) {
  const view = chosen.value;
  const { query: filters, columns, sort } = view;
  const now = await change(view, shown(state));
  inverse(t("View {name} saved.", { name: view.name }), () => change(now, { query: filters, columns, sort }));
}

const sharing = (isReport) =>
  isReport ? t("Share with all who see this report") : t("Share with all who see this list");

const nameField = () => ({ name: "name", label: t("Name"), ifEmpty: "" });

const rename = (view) =>
  dialog({
    title: t("Rename {name}", { name: view.name }),
    body: (close) => {
      const fields = editable([nameField()], view);
      const run = async () => {
        await change(view, fields.body());
        close();
      };
      return form({ run, submit: t("Save"), cancel: () => close(), label: t("View") }, fields.controls);
    },
  });

const saveText = ({ isReport }) => (isReport ? t("Save as view") : t("Save as"));

function saveAs({ state }) {
  const { isReport } = state;
  const now = shown(state);
  return dialog({
    title: saveText(state),
    body: (close) => {
      const fields = editable([
        nameField(),
        ...(canShare() ? [{ name: "isShared", label: sharing(isReport), kind: "check" }] : []),
        {
          name: "isDefault",
          label: isReport ? t("Open this report with it") : t("Open this list with it"),
          kind: "check",
        },
      ], null);
      const key = newKey();
      const run = async () => {
        const made = await send("POST", VIEWS, { ...now, page: state.page, ...fields.body() }, { key });
        await changed(VIEWS);
        close();
        await choose(state, made);
      };
      return form({ run, submit: t("Save"), cancel: () => close(), label: t("View") }, fields.controls);
    },
  });
}
