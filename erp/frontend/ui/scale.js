// The lines of a chart's scale: round steps, at most six of them, with zero always on one.
import { number } from "../core/format.js";

const ROUND = [1, 2, 2.5, 5, 10];
const STEPS = 4; // at least, as long as nothing is rounded
const SHORT = [{ from: 250_000, size: 1_000_000, letter: "M" }, { from: 1000, size: 1000, letter: "k" }]; // by the step

export function scaleOf(values) {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values) || (low ? 0 : 1);
  const step = roundUp((high - low) / STEPS);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  const marks = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step || 0);
  return { marks, low: marks[0], high: marks.at(-1), named: (mark) => named(mark, step) };
}

function roundUp(least) {
  const ten = 10 ** Math.floor(Math.log10(least));
  return ROUND.find((one) => one * ten >= least) * ten;
}

function named(mark, step) {
  const short = SHORT.find(({ from }) => step >= from);
  return mark && short ? `${number(mark / short.size)}\u00a0${short.letter}` : number(mark);
}
