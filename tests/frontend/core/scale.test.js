// The scale of a chart, by figures worked out by hand.
import { deepEqual as equal } from "node:assert/strict";
import { speak } from "../../../erp/frontend/core/i18n.js";
import { scaleOf } from "../../../erp/frontend/ui/scale.js";

const shown = (...values) => {
  const { marks, named } = scaleOf(values);
  return marks.map(named).join(" ").replaceAll("\u00a0", "");
};

Deno.test("a scale has round steps, zero, and ends beyond the values", async () => {
  await speak("en-GB");
  equal(shown(140000, 12), "0 50k 100k 150k");
  equal(shown(920), "0 250 500 750 1,000");
  equal(shown(9000, -3000), "−5k 0 5k 10k");
  equal(shown(-2000), "−2,000 −1,500 −1,000 −500 0");
  equal(shown(1200000), "0 0.5M 1M 1.5M");
  equal(shown(8000000, 7000000), "0 2M 4M 6M 8M");
  equal(shown(1), "0 0.25 0.5 0.75 1");
});

Deno.test("without values, or with nothing but zero, there is a scale as well", () => {
  equal(shown(), "0 0.25 0.5 0.75 1");
  equal(shown(0, 0), "0 0.25 0.5 0.75 1");
});

Deno.test("figures of a scale are written as the language does", async () => {
  await speak("de-DE");
  equal(shown(9000), "0 2,5k 5k 7,5k 10k");
});
