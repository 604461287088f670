// What the office's documents say of it, and the logo at their head.
import { content, Refusal, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { may } from "../../core/session.js";
import { changed } from "../../core/store.js";
import { effect, signal, tags } from "../../core/view.js";
import { actionButton } from "../../ui/actions.js";
import { card } from "../../ui/card.js";
import { field } from "../../ui/field.js";
import { base64, fileInput } from "../../ui/file.js";
import { form } from "../../ui/form.js";

const PATH = "/workspace/logo";
export const SAVED_AT_ONCE = () => t("The file is saved at once, by its own button.");

// `get` is the workspace, whose version and logo change with it; `path` is where it is read.
export function logo(get, path) {
  const file = signal(null);
  const isMine = may("workspace.write");
  const done = (text) => {
    file.value = null;
    changed(path);
    notify(text, { kind: "good" });
  };
  const run = async () => {
    if (!file.value) {
      throw new Refusal({
        status: 422,
        message: t("No file chosen."),
        details: [{ field: "file", message: t("Choose a PNG or JPEG file.") }],
      });
    }
    await send("POST", PATH, { file: await base64(file.value) }, { version: get().version });
    element.reset();
    done(t("Logo saved. Documents issued from now on show it."));
  };
  const remove = {
    name: t("Remove logo"),
    icon: "trash-2",
    danger: true,
    asks: {
      title: t("Remove logo?"),
      text: t("Documents issued from now on show the company’s name instead."),
    },
    run: async () => done(await removed(get, t("Logo removed."))),
  };
  const element = form(
    { run, submit: isMine ? t("Save") : undefined, label: t("Logo") },
    isMine && tags.p({ class: "soft" }, SAVED_AT_ONCE()),
    preview(get, file),
    isMine &&
      field({
        label: t("Image"),
        name: "file",
        hint: t("A PNG or JPEG file of at most 500 kB. It is printed at the top left."),
      }, fileInput({ value: file, name: "file", accept: "image/png,image/jpeg" })),
  );
  return card({ title: t("Logo") }, element, () => isMine && get().logoHash && actionButton(remove));
}

async function removed(get, text) {
  await send("DELETE", PATH, undefined, { version: get().version });
  return text;
}

// Drawn, because the page may only show images from its own addresses, and these need the tab's workspace.
function preview(get, file) {
  const canvas = tags.canvas({ class: "logo-preview", role: "img", "aria-label": t("Logo") });
  const isShown = signal(false);
  effect(() => void show(canvas, isShown, file.value, get().logoHash));
  return tags.div(
    tags.div({ hidden: () => !isShown.value }, canvas),
    () => !isShown.value && tags.p({ class: "soft" }, t("No logo yet. Documents show the company’s name.")),
  );
}

async function show(canvas, isShown, file, hash) {
  canvas.dataset.wanted = file ? `${file.name} ${file.lastModified}` : (hash ?? "");
  const wanted = canvas.dataset.wanted;
  const image = file || hash ? await imageOf(file) : null;
  if (canvas.dataset.wanted !== wanted) return; // another has been chosen since
  isShown.value = Boolean(image);
  if (!image) return;
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").drawImage(image, 0, 0);
}

// What is no image is refused when it is sent.
const imageOf = async (file) => createImageBitmap(file ?? (await content(PATH))).catch(() => null);
