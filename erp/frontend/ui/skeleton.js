// Loading and failing, the same everywhere.
import { t } from "../core/i18n.js";
import { computed, onDrop, scope, tags } from "../core/view.js";
import { problem } from "./alert.js";

// Grey rows; the style shows them after 300 ms.
export const skeleton = ({ rows = 5 } = {}) =>
  tags.div(
    { class: "skeleton", role: "status" },
    tags.span({ class: "visually-hidden" }, t("Loading")),
    Array.from({ length: rows }, () => tags.div({ "aria-hidden": "true" })),
  );

// What a resource holds: grey rows before the first answer, then what `make` makes once of a function that follows it.
// What fails is said above what stays.
export function loaded(resource, make, { rows = 5 } = {}) {
  const isThere = computed(() => resource.value !== undefined && resource.value !== null);
  const isFailed = computed(() => Boolean(resource.problem));
  return tags.div(
    { class: "stack loaded", "aria-busy": () => (resource.isLoading && !isThere.value ? "true" : null) },
    problem(() => resource.problem, () => resource.renew()),
    () => (isThere.value ? kept(() => make(() => resource.value)) : isFailed.value ? null : skeleton({ rows })),
  );
}

// Made outside what is read now, dropped with it.
function kept(make) {
  const made = scope(make);
  onDrop(made.drop);
  return made.value;
}
