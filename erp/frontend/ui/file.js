// A file from the user's computer.
import { tags } from "../core/view.js";
import { shared } from "./input.js";

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
