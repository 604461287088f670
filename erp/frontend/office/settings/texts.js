// The texts of papers and mail: one kind and language at a time.
import { send } from "../../core/api.js";
import { draftOfFields } from "../../core/drafts.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { showAgain } from "../../core/router.js";
import { session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { actionButton } from "../../ui/actions.js";
import { card } from "../../ui/card.js";
import { change, changesOf } from "../../ui/changing.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textArea, textInput } from "../../ui/input.js";
import { loaded } from "../../ui/skeleton.js";
import { kindOptions, languageOptions } from "./text_kinds.js";

const PATH = "/workspace/texts";
const { code, div, p } = tags;

export default () => {
  const texts = resource(PATH);
  const kind = signal("invoice");
  const language = signal(session.peek().workspace.settings?.paperLanguage ?? "de");
  const select = (name, label, value, options) => field({ label, name }, choice({ value, name, options }));
  const chosen = (all) => all.find((one) => one.kind === kind.value && one.language === language.value);
  return {
    title: t("Texts"),
    back: { href: "/settings", text: t("Settings") },
    body: div(
      { class: "stack document" },
      div(
        { class: "fields" },
        select("kind", t("Document"), kind, kindOptions()),
        select("language", t("Language"), language, languageOptions()),
      ),
      loaded(texts, (get) => div(() => editor(chosen(get())))),
    ),
  };
};

function editor(record) {
  const path = `${PATH}/${record.kind}/${record.language}`;
  const names = ["mailSubject", "mailText", ...(record.hasPaper ? ["intro", "closing"] : [])];
  const values = Object.fromEntries(names.map((name) => [name, signal(record[name] ?? "")]));
  const kept = draftOfFields("texts", `${record.kind}/${record.language}`, values);
  const held = (of) => Object.fromEntries(names.map((name) => [name, of(name)]));
  // A mail cannot go without these, so that an empty one is ours again.
  const typed = (name) => values[name].value || (name.startsWith("mail") ? null : "");
  const before = held((name) => record[name] ?? "");
  const run = async (element) => {
    const saved = await change(element, path, record, changesOf(held(typed), before));
    if (!saved) return;
    kept.clear({ goesOn: true });
    await changed(PATH);
    if (saved.isTheirs) return showAgain();
    notify(t("Saved."), { kind: "good" });
  };
  const of = (name, label, rows) =>
    field(
      { label, name, isOptional: !name.startsWith("mail") },
      rows ? textArea({ value: values[name], name, rows }) : textInput({ value: values[name], name }),
    );
  return card(
    { title: record.own.length ? t("Your texts") : t("Our texts") },
    form(
      { run, submit: t("Save"), label: t("Texts"), draft: kept },
      record.hasPaper && [of("intro", t("Above the lines"), 3), of("closing", t("Below the totals"), 3)],
      of("mailSubject", t("Subject of the e-mail")),
      of("mailText", t("Text of the e-mail"), 8),
      places(record.places),
    ),
    record.own.length > 0 && actionButton(reset(path, record)),
  );
}

const places = (names) =>
  div(
    { class: "soft small" },
    p(t("In these places we fill in values. A place without a value leaves no gap; a double brace is a brace.")),
    p({ class: "row" }, names.map((name) => code(`{${name}}`))),
  );

const reset = (path, { version }) => ({
  name: t("Use our texts again"),
  icon: "undo-2",
  danger: true,
  asks: { title: t("Use our texts again?"), text: t("Your texts of this kind and language are lost.") },
  run: async () => {
    await send("DELETE", path, undefined, { version });
    await changed(PATH);
    notify(t("These are our texts again."), { kind: "good" });
  },
});
