// Someone else has changed or deleted a draft quote since: as with invoices, with the options of the lines.
import { money, number } from "../../core/format.js";
import { afterOthers as after } from "../documents/others.js";
import { alternativeTo, lineOf, positionOf, valuesOf } from "./body.js";
import { optionText, QUOTES } from "./words.js";

export { afterDeletion } from "../documents/others.js";

const QUOTE = {
  path: QUOTES,
  partyOf: ({ customerId }) => customerId,
  valuesOf,
  lineOf,
  wordsOfLine,
  joined,
};

export const afterOthers = (state, again) => after(state, again, QUOTE);

function wordsOfLine({ description, quantity, unitPrice, option }) {
  const position = positionOf(option);
  const said = optionText(position ? { option: "alternative", alternativeTo: position } : { option });
  return `${description} ${number(quantity)} × ${money(unitPrice)}${option === "included" ? "" : ` (${said})`}`;
}

// An alternative that the other has added names its line by the place that it has here; without that line it is optional.
function joined(own, added, theirs) {
  const ids = [...own, ...added].map(({ id }) => id);
  const moved = (line) => {
    const position = positionOf(line.option);
    const at = position && ids.indexOf(theirs.lines[position - 1].id);
    if (!position) return line;
    return { ...line, option: at < 0 ? "optional" : alternativeTo(at + 1) };
  };
  return [...own, ...added.map(moved)];
}
