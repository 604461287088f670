// Things in an order that is chosen: by Alt and an arrow, and by a button each way.
import { t } from "../../core/i18n.js";
import { keyOf } from "../../core/keys.js";
import { tags } from "../../core/view.js";
import { iconButton } from "../button.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

export const stepOf = (event) => STEPS[keyOf(event)];

// Move one of an order, a signal; its new place.
export function moveIn(order, one, by) {
  const before = order.peek();
  const at = Math.max(0, Math.min(before.length - 1, before.indexOf(one) + by));
  order.value = before.filter((other) => other !== one).toSpliced(at, 0, one);
  return at;
}

export const movers = (name, move) =>
  tags.div(
    { class: "row" },
    iconButton("chevron-up", t("Move {name} up", { name }), () => move(-1), { isSmall: true }),
    iconButton("chevron-down", t("Move {name} down", { name }), () => move(1), { isSmall: true }),
  );
