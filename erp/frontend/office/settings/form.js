// Forms of some of a workspace's settings, each with a button of its own.
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { showAgain } from "../../core/router.js";
import { may, readSession } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { card } from "../../ui/card.js";
import { change, changesOf } from "../../ui/changing.js";
import { form } from "../../ui/form.js";

// `bodyOf()` is what a request that sets all of them would say; only what has changed is sent.
export function settingsForm(title, get, path, bodyOf, ...children) {
  let [record, before] = [get(), bodyOf()];
  const run = async (element) => {
    const body = bodyOf();
    const saved = await change(element, path, record, changesOf(body, before));
    if (!saved) return;
    await changed(path);
    if (saved.isTheirs) return showAgain();
    [record, before] = [saved, body];
    await readSession();
    notify(t("Saved."), { kind: "good" });
  };
  return card(
    { title },
    form({ run, submit: may("workspace.write") ? t("Save") : undefined, label: title }, ...children),
  );
}
