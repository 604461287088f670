// A file from the user's computer.
import { tags } from "../core/view.js";
import { shared } from "./input.js";

export const CSV = "text/csv";
const EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

// `value` is the chosen File or null; `accept` as in HTML: ".xml,.pdf".
export const fileInput = ({ value, accept = null, ...about }) =>
  tags.input({
    class: "input",
    type: "file",
    ...shared(about),
    autocomplete: null,
    accept,
    onchange: (event) => void (value.value = event.target.files[0] ?? null),
  });

// The content of a file as the API takes it.
export function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1]);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

// A table as the server reads it: text in UTF-8, also where a spreadsheet wrote it in Windows’ own letters.
export async function asTable(file) {
  if (/\.xlsx$/i.test(file.name)) return new Blob([file], { type: EXCEL });
  const bytes = await file.arrayBuffer();
  try {
    return new Blob([new TextDecoder("utf-8", { fatal: true }).decode(bytes)], { type: CSV });
  } catch {
    return new Blob([new TextDecoder("windows-1252").decode(bytes)], { type: CSV });
  }
}
