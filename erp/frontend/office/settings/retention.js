// For how many years personal data is kept, at least for as long as the law requires.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";
import { KINDS } from "../../ui/personal_kinds.js";
import { loaded } from "../../ui/skeleton.js";

const { div, p } = tags;
const PATH = "/workspace/retention";

export function retention() {
  const found = resource(PATH);
  return card({ title: t("Retention of personal data") }, loaded(found, (get) => yearsForm(get())));
}

function yearsForm({ years, least }) {
  const typed = Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, signal(String(years[kind]))]));
  const run = async () => {
    const body = Object.fromEntries(Object.entries(typed).map(([kind, one]) => [kind, Number(one.value)]));
    await send("PATCH", PATH, body);
    await changed("/workspace/retention", "/workspace/home");
    notify(t("Saved."), { kind: "good" });
  };
  return form(
    { run, submit: may("workspace.write") ? t("Save") : undefined, label: t("Retention of personal data") },
    p({ class: "soft" }, t("Years after the end of the year of the last date. Nothing is erased unasked.")),
    div(
      { class: "fields" },
      Object.entries(KINDS).map(([kind, text]) =>
        field(
          { label: text(), name: kind, hint: t("At least {years}.", { years: least[kind] }) },
          textInput({ value: typed[kind], name: kind, inputmode: "numeric" }),
        )
      ),
    ),
  );
}
