// A person's initials, in place of a picture.
import { initials } from "../core/format.js";
import { tags } from "../core/view.js";

export const avatar = (name) =>
  tags.span({ class: "avatar", role: "img", "aria-label": name, title: name }, initials(name));
