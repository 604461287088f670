// Small records that an office keeps, such as products or tax rates: the list, a form to add or edit one, and archiving and
// deleting in its rows.
import { address, newKey, send } from "../core/api.js";
import { draftOfFields } from "../core/drafts.js";
import { t } from "../core/i18n.js";
import { notify } from "../core/notices.js";
import { parameter, query } from "../core/router.js";
import { may } from "../core/session.js";
import { changed, list } from "../core/store.js";
import { tags } from "../core/view.js";
import { change } from "./changing.js";
import { dialog } from "./dialog.js";
import { empty } from "./empty.js";
import { editable } from "./fields.js";
import { form } from "./form.js";
import { searchField } from "./input.js";
import { table } from "./table.js";
import { stateTabs } from "./tabs.js";

const { div, p } = tags;

/**
 * A screen of records at `path`, which those with the right `right` change. `fields(record)` tells the fields of the form
 * (`./fields.js`), whose record is null while one is added; `changes` are the beginnings of what else is out of date then,
 * `canChange(record)` says which can be edited and deleted, without `isEditable` they are added and deleted alone, and of
 * what `isPrivate`, such as pay, nothing unsent is kept. `itemPath` is where each record is, if not below `path`; without
 * a `deleteText`, none can be deleted, and without an `addText`, none added.
 * @param {Record<string, any>} about
 */
export function recordsScreen(about) {
  const { path, title, back, columns, addText, emptyText, right, intro = null, search = null, actions = [] } = about;
  const { parameters = () => ({}), isArchivable = true, rowActions = () => [], filters = null } = about;
  const state = () => query.value.get("state") ?? "used";
  const records = list(() =>
    address(path, {
      ...parameters(),
      ...(isArchivable && { isArchived: state() === "archived" ? "true" : null }),
      ...(search && { q: query.value.get("q") }),
    })
  );
  return {
    title,
    back,
    actions: [
      addText && { name: addText, key: "n", main: true, icon: "plus", may: right, run: () => editing(about, null) },
      ...actions,
    ].filter(Boolean),
    body: div(
      { class: "stack" },
      intro && p({ class: "soft" }, intro),
      isArchivable && stateTabs(),
      filters,
      search && searchField({ value: parameter("q"), label: search }),
      table({
        label: title,
        page: about.page ?? path,
        list: records,
        key: ({ id }) => id,
        href: about.href,
        columns,
        actions: (record) => (may(right) ? [...rowActions(record), ...actionsOn(about, record)] : []),
        empty: empty(() => (state() === "archived" ? t("No archived records.") : emptyText)),
      }),
    ),
  };
}

function actionsOn(about, record) {
  const { nameOf, deleteText, isArchivable = true, isEditable = true, canChange = () => true } = about;
  if (!canChange(record)) return [];
  const path = itemOf(about, record);
  const name = nameOf(record);
  const act = async (verb, done) => {
    await send("POST", `${path}/${verb}`, {}, { version: record.version });
    renew(about);
    notify(done, { kind: "good" });
  };
  if (record.archivedAt) {
    return [{ name: t("Unarchive"), icon: "undo-2", run: () => act("unarchive", t("{name} unarchived.", { name })) }];
  }
  return [
    isEditable && { name: t("Edit"), key: "e", icon: "pencil", run: () => editing(about, record) },
    isArchivable &&
    { name: t("Archive"), icon: "archive", run: () => act("archive", t("{name} archived.", { name })) },
    deleteText && {
      name: t("Delete"),
      icon: "trash-2",
      danger: true,
      asks: { title: t("Delete {name}?", { name }), text: deleteText, verb: t("Delete"), danger: true },
      run: async () => {
        const answer = await send("DELETE", path, undefined, { version: record.version });
        renew(about);
        about.told?.(answer);
      },
    },
  ].filter(Boolean);
}

const itemOf = ({ path, itemPath = path }, { id }) => `${itemPath}/${id}`;
const renew = ({ path, changes = [] }) => changed(path, ...changes);

// The dialog that adds a record, or edits one; `about` is as in `recordsScreen`.
export function editing(about, record) {
  const title = record ? t("Edit {name}", { name: about.nameOf(record) }) : about.addText;
  return dialog({
    title,
    size: about.size,
    body: (close) => recordForm(about, record, title, close),
  });
}

function recordForm(about, record, title, close) {
  const fields = editable(about.fields(record), record);
  const kept = about.isPrivate ? null : draftOfFields(about.path.slice(1), record?.id, fields.signals);
  const key = newKey();
  const run = async (element) => {
    const answer = record
      ? await change(element, itemOf(about, record), record, fields.body(), fields.told)
      : await send("POST", about.path, fields.body(), { key: kept?.key ?? key });
    if (!answer) return;
    kept?.clear();
    renew(about);
    close();
    about.told?.(answer);
  };
  return form(
    { run, submit: record ? t("Save") : t("Add"), cancel: () => close(), label: title, draft: kept },
    fields.controls,
  );
}
