// One figure that counts, and how much of a whole is there.
import { tags } from "../core/view.js";

export function figureCard({ label, value, note = null, href = null, kind = null }) {
  const inside = [
    tags.span({ class: "figure-label" }, label),
    tags.span({ class: "figure-value" }, value),
    note && tags.span({ class: `figure-note${kind ? ` ${kind}` : ""}` }, note),
  ];
  return href ? tags.a({ class: "figure-card", href }, inside) : tags.div({ class: "figure-card" }, inside);
}

export const figures = (...cards) => tags.div({ class: "figures" }, cards);

// Amounts are text; for the length of a bar they may be rough. `ahead` is a further part that is not certain yet.
export function meter({ label, part, whole, text = null, ahead = null }) {
  const read = (one) => Number(typeof one === "function" ? one() : one);
  const shareOf = (one) => Math.max(0, Math.min(1, read(whole) ? read(one) / read(whole) : 0));
  const share = () => shareOf(part);
  const bar = tags.div(
    {
      class: "meter-bar",
      role: "meter",
      "aria-label": label,
      "aria-valuemin": "0",
      "aria-valuemax": "100",
      "aria-valuenow": () => String(Math.round(share() * 100)),
    },
    tags.div({ style: () => ({ width: `${share() * 100}%` }) }),
    ahead &&
      tags.div({
        class: "is-ahead",
        style: () => ({ width: `${Math.min(shareOf(ahead), 1 - share()) * 100}%` }),
      }),
  );
  return tags.div({ class: "meter" }, bar, text && tags.span({ class: "small soft" }, text));
}
