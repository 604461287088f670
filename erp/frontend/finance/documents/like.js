// Requests that are made of documents, such as recurring ones, and their lines.
import { blankLine, bodyOf, fieldsOf, lineOf, previewBody, valuesOf } from "./body.js";

// A line of a request, such as a recurring document holds.
export function lineOfRequest(line) {
  const known = Object.keys(blankLine());
  const further = Object.fromEntries(Object.entries(line).filter(([name]) => !known.includes(name)));
  return { ...blankLine(), ...line, further };
}

// The request of a document like another, without its dates and without what belongs to that one alone.
export function requestLike(record) {
  const { issueDate: _issued, dueDate: _due, serviceDate: _served, exchangeRate: _rate, ...fields } = fieldsOf({
    ...valuesOf(record.kind, record),
    printedTax: {},
    prepaidAmount: "",
  });
  const lines = record.lines.map((line) => {
    const alone = { taskId: "", serviceDate: "", servicePeriod: "", asset: "", id: null };
    return { ...lineOf(line), ...alone, accountId: line.accountId };
  });
  return previewBody(bodyOf(fields, { values: () => lines }, null, null), record);
}
