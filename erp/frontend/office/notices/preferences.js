// Which notices one wants in this workspace; a switch acts at once.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { tried } from "../../core/notices.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { choice, toggle } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";
import { loaded } from "../../ui/skeleton.js";
import { KINDS } from "./words.js";

const PREFERENCES = "/workspace/notice-preferences";

// Nothing without a workspace.
export function noticePreferences() {
  if (!may("workspace.read")) return null;
  return card(
    { title: t("Notices") },
    tags.p({ class: "soft" }, t("The bell tells you what concerns you in this workspace.")),
    loaded(resource(PREFERENCES), (get) => switches(get())),
  );
}

function switches({ kinds, dailyAt, days }) {
  const wanted = Object.entries(kinds).map(([kind, { here, mail }]) => ({
    kind,
    here: signal(here),
    mail: signal(mail),
  }));
  const at = signal(dailyAt);
  const save = () =>
    tried(async () => {
      const of = ({ here, mail }) => ({ here: here.peek(), mail: here.peek() ? mail.peek() : "off" });
      const body = { kinds: Object.fromEntries(wanted.map((one) => [one.kind, of(one)])), dailyAt: at.peek(), days };
      await send("PUT", PREFERENCES, body);
      changed(PREFERENCES);
    });
  return tags.div(
    { class: "stack" },
    wanted.map(({ kind, here, mail }) =>
      tags.div(
        { class: "spread" },
        toggle({ value: here, name: kind, text: KINDS[kind][0](), onchange: save }),
        tags.span({ onchange: save }, byMail(KINDS[kind][0](), `${kind}-mail`, mail)),
      )
    ),
    tags.div(
      { onchange: save },
      field(
        { label: t("Time of the daily mail"), name: "dailyAt", hint: t("In your time zone, Monday to Friday.") },
        textInput({ value: at, name: "dailyAt", type: "time" }),
      ),
    ),
  );
}

const byMail = (text, name, value) =>
  choice({
    value,
    name,
    label: t("By mail: {kind}", { kind: text }),
    options: [
      { value: "off", text: t("not by mail") },
      { value: "now", text: t("by mail at once") },
      { value: "daily", text: t("in the daily mail") },
    ],
  });
