// Help for the screen that is shown: three sentences, its keys, all keys, and the page of the manual.
import { t } from "../core/i18n.js";
import { bound } from "../core/keys.js";
import { current, path } from "../core/router.js";
import { tags } from "../core/view.js";
import { panel } from "../ui/dialog.js";
import { keyHint } from "../ui/key.js";

const { a, dd, details, div, dl, dt, h3, p, summary } = tags;
let isShown = false;

// `load` imports a module with its words: the texts of an area come when one of its screens is asked about.
export async function showHelp(load) {
  if (isShown) return;
  isShown = true;
  try {
    const { file } = current.peek().route;
    const [area] = file.split("/");
    const { HELP } = await load(`help/${area}`);
    const manual = (await load("help/manual")).manualOf(path.peek());
    await panel({ title: t("Help"), body: () => inside(HELP[file]?.() ?? [], bound.peek(), manual) });
  } finally {
    isShown = false;
  }
}

function inside(sentences, all, manual) {
  const own = all.filter(({ key, isEverywhere }) => !isEverywhere && !key.startsWith("g "));
  return [
    ...sentences.map((text) => p(text)),
    own.length > 0 && [h3(t("Keys of this screen")), list(own)],
    details({ class: "more" }, summary(t("All keys")), div({ class: "more-body" }, list(all))),
    p(a({ href: manual.href }, manual.title)),
  ];
}

const list = (keys) => dl({ class: "keys" }, keys.map(({ key, text }) => [dt(keyHint(key)), dd(text)]));
