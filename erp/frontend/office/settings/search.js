// Finding a setting by its label, its hint, and words of both languages, and a screen among the settings by its name and
// the words of the palette.
import { t } from "../../core/i18n.js";
import { keyOf } from "../../core/keys.js";
import { go, parameter } from "../../core/router.js";
import { signal, tags } from "../../core/view.js";
import { searchField } from "../../ui/input.js";
import { groups, visible } from "./navigation.js";

const { a, div, p, span } = tags;

export function searchIn() {
  const typed = parameter("q");
  const words = signal({}); // read when it is first needed
  const all = signal([]);
  const screens = visible().flatMap(screensOf);
  const field = searchField({ value: typed, label: t("Search settings") });
  const read = async () => {
    words.value = {
      ...(await import("./search_words.js")).SEARCH_WORDS,
      ...(await import("./screen_words.js")).SCREEN_WORDS,
    };
  };
  if (typed.peek()) read();
  field.addEventListener("focusin", read, { once: true });
  const found = (text) => {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = (one) => [one.label, one.hint, one.isScreen ? "" : one.page, words.value[one.name]];
    const fits = (one) => {
      const told = texts(one).join(" ").toLowerCase();
      return wanted.every((word) => told.includes(word));
    };
    const isNamed = ({ label }) => wanted.every((word) => label.toLowerCase().includes(word));
    return [...screens, ...all.value].filter(fits).toSorted((one, other) =>
      Number(isNamed(other)) - Number(isNamed(one))
    );
  };
  const input = field.querySelector("input");
  input.addEventListener("keydown", (event) => {
    if (keyOf(event) !== "Enter") return;
    event.preventDefault();
    const [first] = input.value.trim() ? found(input.value.trim()) : [];
    if (first) go(first.href);
  });
  return {
    field,
    isOpen: () => Boolean(typed.value),
    // The fields of all pages, once the workspace is read.
    takes: (sections) => void (all.value = entriesOf(sections)),
    results: () => {
      const shown = found(typed.value);
      return shown.length
        ? div(
          { class: "settings-group" },
          shown.map((one) =>
            a({ class: "nav-link", href: one.href }, span(one.label), span({ class: "soft small" }, one.page))
          ),
        )
        : p({ class: "soft" }, t("No setting found."));
    },
  };
}

const screensOf = ({ name: group, entries }) =>
  entries.map(({ href, name }) => ({ name: href, label: name, hint: "", page: group, href, isScreen: true }));

function entriesOf(sections) {
  const names = Object.fromEntries(groups().flatMap(({ entries }) => entries).map(({ key, name }) => [key, name]));
  return Object.entries(sections).flatMap(([key, all]) =>
    all.flatMap(({ title, fields }) =>
      fields.map(({ name, label, hint }) => ({
        name,
        label,
        hint: typeof hint === "string" ? hint : "",
        page: title ? `${names[key]} · ${title}` : names[key],
        href: `/settings/${key}?field=${name}`,
      }))
    )
  );
}
