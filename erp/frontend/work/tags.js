// Tags: a text and Enter makes one; those in use are offered while it is typed.
import { get } from "../core/api.js";
import { t } from "../core/i18n.js";
import { tags } from "../core/view.js";
import { several } from "./several.js";

/** @param {any} [more] */
export const tagsField = (more = {}) => ({
  name: "tags",
  label: t("Tags"),
  isOptional: true,
  start: [],
  control: (value) => tagsControl(value, "tags"),
  words: (names) => names.join(", "),
  told: (record) => record.tags.join(", "),
  ...more,
});

export function tagsControl(value, name) {
  let used = null;
  const load = async () => {
    used ??= [];
    used = (await get("/tasks/tags").catch(() => [])).map((one) => one.name);
  };
  const options = (typed) => {
    const own = typed.trim();
    const fitting = (used ?? []).filter((one) => one.toLowerCase().includes(own.toLowerCase()));
    const isNew = own && !fitting.some((one) => one.length === own.length);
    return [...(isNew ? [own] : []), ...fitting].map((text) => ({ value: text, text }));
  };
  return tags.div(
    { onfocusin: () => void (used ?? load()) },
    several({ value, name, options, nameOf: (tag) => tag, placeholder: t("+ Tag …") }),
  );
}
