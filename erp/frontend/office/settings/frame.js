// The frame of a screen that stands among the settings: their navigation beside it.
import { address } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { keyOf } from "../../core/keys.js";
import { go, path } from "../../core/router.js";
import { signal, tags } from "../../core/view.js";
import { searchField } from "../../ui/input.js";
import { navigationOf, visible } from "./navigation.js";

const { div } = tags;

// A screen within the settings, as it is made, with the navigation beside it.
export function framed(screen) {
  const all = visible();
  const isOf = ({ href }) => path.peek() === href || path.peek().startsWith(`${href}/`);
  const among = all.flatMap(({ entries }) => entries).filter(isOf);
  const shown = among.toSorted((one, other) => other.href.length - one.href.length)[0];
  return { ...screen, body: div({ class: "settings is-framed" }, navigationOf(all, shown, search()), screen.body) };
}

// Settings are found on their own pages.
function search() {
  const typed = signal("");
  const field = searchField({ value: typed, label: t("Search settings") });
  field.addEventListener("keydown", (event) => {
    if (keyOf(event) !== "Enter") return;
    event.preventDefault();
    go(address("/settings", { q: field.querySelector("input").value.trim() || null }));
  });
  return field;
}
