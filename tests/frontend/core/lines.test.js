// The lines of a document without a page: what a key in one of many asks of the others.
import { effect, signal } from "../../../erp/frontend/core/signals.js";
import { lineList } from "../../../erp/frontend/ui/lines.js";

const is = (found, wanted) => {
  if (found !== wanted) throw new Error(`${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
};
const blank = () => ({ description: "", unitPrice: "" });
const hundred = () => lineList({ blank, rows: Array.from({ length: 100 }, (_, n) => ({ description: `Line ${n}` })) });

Deno.test("a key in one of a hundred lines asks no cell of another", () => {
  const lines = hundred();
  let count = 0;
  for (const line of lines.rows.peek()) effect(() => (count += 1, void line.sentAt()));
  is(count, 100);
  lines.rows.peek()[50].cells.unitPrice.value = "1";
  is(count, 100);
});

Deno.test("a blank line is not sent, and those after it move up", () => {
  const lines = hundred();
  const [first, second] = lines.rows.peek();
  first.cells.description.value = "";
  is(first.isBlank.value, true);
  is(first.sentAt(), -1);
  is(second.sentAt(), 0);
  is(lines.values().length, 99);
  first.cells.unitPrice.value = "2";
  is(second.sentAt(), 1);
});

Deno.test("a line that an effect adds is followed after the effect has run again", () => {
  const lines = lineList({ blank });
  const turn = signal(0);
  let added = null;
  effect(() => void (turn.value === 0 && (added = lines.add())));
  turn.value = 1;
  added.cells.description.value = "Late";
  is(added.isBlank.value, false);
  is(lines.values().length, 1);
});
