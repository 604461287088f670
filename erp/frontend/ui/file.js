// A file from the user's computer.
import { tags } from "../core/view.js";
import { shared } from "./input.js";

export const CSV = "text/csv";
const SAMPLE = 4096; // bytes
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

// A table as the server reads it: text in UTF-8, also where a spreadsheet wrote it in UTF-16 or in Windows’ own letters.
export async function asTable(file) {
  if (/\.xlsx$/i.test(file.name)) return new Blob([file], { type: EXCEL });
  return new Blob([textOf(new Uint8Array(await file.arrayBuffer()))], { type: CSV });
}

export function textOf(bytes) {
  const wide = wideOf(bytes.subarray(0, SAMPLE));
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

// UTF-16 by its mark, or by the zero in every second byte.
function wideOf(sample) {
  const zeros = (from) => sample.filter((byte, at) => at % 2 === from && byte === 0).length * 6 > sample.length;
  const [first, second] = sample;
  if ((first === 0xff && second === 0xfe) || zeros(1)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || zeros(0) ? "utf-16be" : null;
}
