// Which of two versions of the settings counts, where two people have changed the same fields.
import { t } from "../../core/i18n.js";
import { askWhose } from "../../ui/whose.js";

// Mine where no field differs; with the names of the fields that do.
export async function asked(specs, { base, theirs, mine }) {
  const both = specs.filter(({ name }) => name in mine && differs(base[name], theirs[name]));
  const of = (record) => Object.fromEntries(both.map((spec) => [spec.name, wordsOf(spec, record[spec.name])]));
  const labels = Object.fromEntries(both.map(({ name, label }) => [name, label]));
  const answer = both.length
    ? await askWhose({ before: of(base), theirs: of(theirs), mine: of(mine), names: labels })
    : "mine";
  return { answer, names: both.map(({ name }) => name) };
}

const differs = (one, other) => JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);

function wordsOf({ options, words, kind }, value) {
  if (words) return words(value);
  if (kind === "check") return value ? t("yes") : t("no");
  if (Array.isArray(value)) return value.map((one) => Object.values(Object(one)).join(" ") || one).join(", ");
  return options?.find((option) => option.value === value)?.text ?? value;
}
