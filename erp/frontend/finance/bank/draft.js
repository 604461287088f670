// The sums of a match that is being chosen: the server adds it up, a moment after the last change.
import { send } from "../../core/api.js";
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { effect, onDrop, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";

const PAUSE = 150; // ms

/**
 * `body()` follows signals; `taken(sums)` is told each answer. Answers the last one, or the refusal of it.
 * @param {any} line
 * @param {() => any} body
 * @param {(sums: any) => void} taken
 */
export function sumsOf(line, body, taken = (_sums) => {}) {
  /** @type {any} */
  const sums = signal(null);
  let [timer, turn] = [null, 0];
  effect(() => {
    const asked = body();
    clearTimeout(timer);
    const own = (turn += 1);
    if (sums.peek()) sums.value = { ...sums.peek(), isComplete: false }; // it adds up something older
    timer = setTimeout(async () => {
      const found = await send("POST", `/finance/bank/lines/${line.id}/preview`, asked).catch((refusal) => ({
        refusal,
      }));
      if (own !== turn) return;
      sums.value = found;
      if (!found.refusal) taken(found);
    }, PAUSE);
  });
  onDrop(() => {
    clearTimeout(timer);
    turn += 1;
  });
  return sums;
}

// The sums in words, and the button that is off until nothing is left, or what is left has a place.
export function foot(line, sums, close) {
  const shown = (amount) => money(amount, line.currency);
  const words = () => {
    const now = sums.value;
    if (!now) return "…";
    if (now.refusal) return now.refusal.reason;
    return t("Chosen {chosen} · transaction {amount} · left {left}", {
      chosen: shown(now.chosen),
      amount: shown(now.amount),
      left: shown(now.left),
    });
  };
  return tags.div(
    { class: "form-foot row" },
    tags.span({ role: "status", class: "figure" }, words, () => (sums.value?.isComplete ? " ✓" : "")),
    button(t.of("verb", "Match"), null, {
      type: "submit",
      kind: "main",
      key: "Control+Enter",
      isOff: () => !sums.value?.isComplete,
    }),
    button(t.of("dialog", "Cancel"), () => close()),
  );
}
