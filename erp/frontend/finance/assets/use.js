// Putting an asset in use: at once, or by asking first for what it still lacks.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed } from "../../core/store.js";
import { change } from "../../ui/changing.js";
import { dialog } from "../../ui/dialog.js";
import { editable } from "../../ui/fields.js";
import { form } from "../../ui/form.js";
import { fieldsOf } from "./fields.js";
import { ASSETS, POSTED } from "./words.js";

const TERMS = ["inUseOn", "method", "lifeMonths", "decliningPercent"];

const isReady = ({ inUseOn, method, lifeMonths, decliningPercent }) =>
  Boolean(inUseOn) && (method !== "declining" || Boolean(decliningPercent)) &&
  (!["linear", "declining"].includes(method) || Boolean(lifeMonths));

export const putInUse = (asset) =>
  isReady(asset)
    ? activate(asset)
    : dialog({ title: t("Put {name} in use", { name: asset.name }), body: (close) => asking(asset, close) });

async function activate({ id, number, version }) {
  await send("POST", `${ASSETS}/${id}/activate`, {}, { version });
  changed(ASSETS, ...POSTED);
  notify(t("{number} is in use.", { number }), { kind: "good" });
}

function asking(asset, close) {
  const specs = fieldsOf(asset).map((one) => (TERMS.includes(one.name) ? { ...one, isOptional: false } : one));
  const fields = editable(specs, asset);
  fields.signals.inUseOn.value ||= asset.acquiredOn;
  let now = asset;
  const run = async (element) => {
    const body = fields.body();
    if (Object.keys(body).length) {
      const saved = await change(element, `${ASSETS}/${asset.id}`, now, body, fields.told);
      if (!saved) return;
      now = saved;
      fields.take(saved, body);
    }
    await activate(now);
    close();
  };
  return form(
    { run, submit: t("Put in use"), cancel: () => close(), label: t("Put in use") },
    fields.controlsOf(TERMS),
  );
}
