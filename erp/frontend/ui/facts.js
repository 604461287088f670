// Labels and values, as in the head of a document.
import { tags } from "../core/view.js";

const isSaid = (fact) => fact && fact[1] !== null && fact[1] !== undefined && fact[1] !== "" && fact[1] !== false;

// Pairs of a label and a text, an element or a function; those without a value are left out.
export const facts = (pairs) =>
  tags.dl({ class: "facts" }, pairs.filter(isSaid).map(([label, value]) => tags.div(tags.dt(label), tags.dd(value))));
