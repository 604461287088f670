// The letterhead of the office's papers, and a paper of made-up data beside.
import { address, Refusal, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { changed, resource } from "../../core/store.js";
import { computed, effect, signal, tags } from "../../core/view.js";
import { actionButton } from "../../ui/actions.js";
import { card } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { fileInput } from "../../ui/file.js";
import { form } from "../../ui/form.js";
import { SAVED_AT_ONCE } from "./letterhead.js";
import { kindOptions, languageOptions } from "./text_kinds.js";

const PATH = "/workspace/paper";
const LETTERHEAD = `${PATH}/letterhead`;
const TEXTS = "/workspace/texts";
const PAUSE = 400; // ms after the last change
const { a, div, iframe, p } = tags;

// `values` are the signals of the look, which is saved with the other settings.
export const paperDesign = (get, values) => div({ class: "stack" }, letterhead(get), preview(get, values));

function letterhead(get) {
  const file = signal(null);
  const done = (text) => {
    file.value = null;
    changed("/workspace");
    notify(text, { kind: "good" });
  };
  const run = async () => {
    if (!file.value) {
      const message = t("Choose a PDF, PNG or JPEG file.");
      throw new Refusal({ status: 422, message: t("No file chosen."), details: [{ field: "file", message }] });
    }
    await send("POST", LETTERHEAD, file.value, { version: get().version });
    element.reset();
    done(t("Letterhead saved. Documents issued from now on have it."));
  };
  const remove = {
    name: t("Remove letterhead"),
    icon: "trash-2",
    danger: true,
    asks: { title: t("Remove letterhead?"), text: t("Documents that were issued with it keep it.") },
    run: async () => {
      await send("DELETE", LETTERHEAD, undefined, { version: get().version });
      done(t("Letterhead removed."));
    },
  };
  const element = form(
    { run, submit: t("Save"), label: t("Letterhead") },
    p({ class: "soft" }, SAVED_AT_ONCE()),
    p(
      { class: "soft" },
      () => get().letterhead ? t("There is a letterhead, under each page.") : t("No letterhead yet."),
    ),
    field({
      label: t.of("noun", "File"),
      name: "file",
      hint: t(
        "A PDF of one or two pages of A4, a PNG or a JPEG, of at most 2 MiB. The second page is for further pages.",
      ),
    }, fileInput({ value: file, name: "file", accept: "application/pdf,image/png,image/jpeg" })),
  );
  return card({ title: t("Letterhead") }, element, () => get().letterhead && actionButton(remove));
}

// A frame, since only the browser's own viewer draws a PDF; on a narrow screen it opens in a tab of its own.
function preview(get, values) {
  const about = { kind: signal("invoice"), language: signal("de") };
  const src = signal(addressOf(values, about));
  effect(() => {
    const wanted = addressOf(values, about);
    const timer = setTimeout(() => void (src.value = wanted), PAUSE);
    return () => clearTimeout(timer);
  });
  const texts = resource(TEXTS);
  // What is saved and is not in the address, by its versions: the settings with the letterhead, and the texts.
  const saved = computed(() =>
    (texts.value || texts.problem) && [get().version, ...(texts.value ?? []).map(({ version }) => version)].join()
  );
  const select = (name, label, options) => field({ label, name }, choice({ value: about[name], name, options }));
  return card(
    { title: t("Preview") },
    div(
      { class: "fields" },
      select("kind", t("Document"), kindOptions({ isPaper: true })),
      select("language", t("Language"), languageOptions()),
    ),
    a({ class: "button paper-link", href: () => src.value, target: "_blank", rel: "noopener" }, t("Open the preview")),
    div({ class: "paper-preview" }, () => saved.value && frame(saved.value, src.value)),
  );
}

// Made again for each save, which does not change the address.
const frame = (_saved, src) => iframe({ title: t("Preview"), src });

const addressOf = (values, { kind, language }) =>
  address(`/api/v1${PATH}/preview`, {
    kind: kind.value,
    language: language.value,
    layout: values.layout.value,
    accentColor: values.accentColor.value,
    topMm: Number(values.topMm.value) >= 10 && Number(values.topMm.value) <= 120 ? Number(values.topMm.value) : null,
    hasOfficeHead: String(values.hasOfficeHead.value),
  });
