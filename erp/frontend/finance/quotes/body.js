// What the editor of a quote stands for: the fields and lines of an invoice, with an option in each line.
import { previewed } from "../../core/preview.js";
import {
  blankLine as blank,
  bodyOf as invoiceBody,
  lineOf as invoiceLine,
  previewBody,
  valuesOf as invoiceValues,
} from "../documents/body.js";
import { QUOTES } from "./words.js";

const OWN = ["subject", "validUntil", "intro", "closing"];
const ALTERNATIVE = "alternative:";

export const blankLine = () => ({ ...blank(), option: "included" });

// An alternative names its line by the position, from 1: `alternative:2`.
export const lineOf = (line) => ({
  ...invoiceLine(line),
  option: line.option === "alternative" ? `${ALTERNATIVE}${line.alternativeTo}` : line.option,
});

export const positionOf = (option) => option?.startsWith(ALTERNATIVE) ? Number(option.slice(ALTERNATIVE.length)) : null;
export const alternativeTo = (position) => `${ALTERNATIVE}${position}`;

export const valuesOf = (record, about) => ({
  ...invoiceValues("sales_invoice", record, about),
  ...Object.fromEntries(OWN.map((name) => [name, record?.[name] ?? ""])),
});

// The request of what is typed; of a draft that there is, also what was taken out.
export function bodyOf(fields, lines, record, before) {
  const body = without(invoiceBody(fields, lines, record, before), "kind", "exchangeRate", "dueDate");
  return { ...body, lines: body.lines.map(lineBody) };
}

function lineBody({ option, ...line }) {
  const position = positionOf(option);
  return { ...line, ...(position ? { option: "alternative", alternativeTo: position } : { option }) };
}

export function previewOf(body, record) {
  const request = () => without(previewBody(body(), record.value), "kind");
  const totals = previewed(`${QUOTES}/preview`, request, () => void (totals.value = null));
  return totals;
}

/** @returns {any} */
const without = (body, ...names) => Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
