// Tags: a text and Enter makes one.
import { t } from "../core/i18n.js";
import { several } from "./several.js";

/** @param {any} [more] */
export const tagsField = (more = {}) => ({
  name: "tags",
  label: t("Tags"),
  isOptional: true,
  start: [],
  control: (value) => tagsControl(value, "tags"),
  words: (tags) => tags.join(", "),
  told: ({ tags }) => tags.join(", "),
  ...more,
});

export const tagsControl = (value, name) =>
  several({
    value,
    name,
    options: (typed) => [typed.trim()].filter(Boolean).map((text) => ({ value: text, text })),
    nameOf: (tag) => tag,
    placeholder: t("+ Tag …"),
  });
