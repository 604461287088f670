// What an empty screen says, beside its main action.
import { tags } from "../core/view.js";

export const empty = (text, ...actions) => tags.div({ class: "empty" }, tags.p(text), actions);
