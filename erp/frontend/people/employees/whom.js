// For whom something is entered: another person, for those who may, else oneself.
import { t } from "../../core/i18n.js";
import { employeeId, may } from "../../core/session.js";
import { signal } from "../../core/view.js";
import { combobox } from "../../ui/combobox.js";
import { field } from "../../ui/field.js";
import { employeeOptions, nameOfEmployee } from "./choice.js";

// `right` is that to enter it for others; `person` is the one who is meant at first, else oneself. `about` is what the
// control takes beside that.
export function whom(right, person = null, about = {}) {
  const id = signal(person?.id ?? employeeId());
  const shown = (held) => (held === person?.id ? person.name : nameOfEmployee(held));
  const draw = () =>
    may(right) &&
    field(
      { label: t("Person"), name: "employeeId" },
      combobox({ value: id, name: "employeeId", options: employeeOptions, shown, ...about }),
    );
  const isOther = () => Boolean(id.value) && id.value !== employeeId();
  return { id, draw, isOther };
}
