// Which notices one wants in this workspace; a switch acts at once.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { tried } from "../../core/notices.js";
import { may } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { card } from "../../ui/card.js";
import { toggle } from "../../ui/choice.js";
import { loaded } from "../../ui/skeleton.js";
import { KINDS } from "./words.js";

const PREFERENCES = "/workspace/notice-preferences";

// Nothing without a workspace.
export function noticePreferences() {
  if (!may("workspace.read")) return null;
  return card(
    { title: t("Notices") },
    tags.p({ class: "soft" }, t("The bell tells you what concerns you in this workspace.")),
    loaded(resource(PREFERENCES), (get) => switches(get().kinds)),
  );
}

function switches(kinds) {
  const wanted = Object.entries(kinds).map(([kind, { here }]) => ({ kind, here: signal(here) }));
  const save = () =>
    tried(async () => {
      const body = { kinds: Object.fromEntries(wanted.map(({ kind, here }) => [kind, { here: here.peek() }])) };
      await send("PUT", PREFERENCES, body);
      changed(PREFERENCES);
    });
  return tags.div(
    { class: "stack" },
    wanted.map(({ kind, here }) => toggle({ value: here, name: kind, text: KINDS[kind][0](), onchange: save })),
  );
}
