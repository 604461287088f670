// The field of which the address says that it is looked for: marked, with the focus.
import { query } from "../../core/router.js";
import { effect } from "../../core/view.js";
import { inputOf } from "../../ui/field.js";

// A form, answered as it is, that shows the field once it is drawn.
export function pointing(form) {
  effect(() => {
    const name = query.value.get("field");
    if (name) requestAnimationFrame(() => point(form, CSS.escape(name)));
  });
  return form;
}

function point(form, name) {
  const control = form.querySelector(`[name="${name}"], [data-name="${name}"], [name^="${name}"]`);
  if (!control) return;
  form.querySelectorAll(".is-found").forEach((one) => one.classList.remove("is-found"));
  (control.closest(".field, .check") ?? control).classList.add("is-found");
  (inputOf(control) ?? control).focus();
}
