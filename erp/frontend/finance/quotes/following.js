// The alternatives of a quote among lines that are moved or removed.
import { effect } from "../../core/view.js";
import { alternativeTo, positionOf } from "./body.js";

// An alternative follows its line when lines move; without that line it is optional.
export function followLines(lines) {
  let before = lines.sent.peek();
  effect(() => {
    const now = lines.sent.value;
    const isOther = !now.some((line) => before.includes(line)); // all lines are new, with places of their own
    if (isOther) before = now;
    for (const line of now) {
      const position = positionOf(line.cells.option.peek());
      const target = position ? before[position - 1] : null;
      if (!target || now[position - 1] === target) continue;
      const at = now.indexOf(target);
      line.cells.option.value = at < 0 ? "optional" : alternativeTo(at + 1);
    }
    before = now;
  });
}
