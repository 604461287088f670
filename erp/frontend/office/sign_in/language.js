// The language of the pages before someone is inside. It is kept in this browser, and becomes the user's when they
// register, or sign in after they have chosen it.
import { send } from "../../core/api.js";
import { CHOSEN, language, t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { button } from "../../ui/button.js";

const { nav, span, strong } = tags;
const NAMES = { en: "English", de: "Deutsch" };

export const languageChoice = () => nav({ class: "row", "aria-label": t("Language") }, Object.entries(NAMES).map(one));

const one = ([tag, name]) =>
  language().split("-")[0] === tag
    ? strong({ lang: tag, "aria-current": "true" }, name)
    : button(span({ lang: tag }, name), () => choose(tag), { kind: "plain", isSmall: true });

function choose(tag) {
  localStorage.setItem(CHOSEN, tag);
  location.reload(); // every text is made again
}

// Of the one who signs in, from now on: what they have chosen here.
export async function keepLanguage() {
  const locale = localStorage.getItem(CHOSEN);
  if (!locale) return;
  localStorage.removeItem(CHOSEN);
  await send("PATCH", "/auth/preferences", { locale });
}
