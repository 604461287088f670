// A password, hidden while it is typed unless one asks to see it.
import { t } from "../../core/i18n.js";
import { effect, signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { inputOf } from "../../ui/field.js";
import { textInput } from "../../ui/input.js";

export function passwordInput(about) {
  const isShown = signal(false);
  const input = inputOf(textInput({ ...about, type: "password" }));
  effect(() => void (input.type = isShown.value ? "text" : "password"));
  return tags.div(
    { class: "stack-tight" },
    input,
    button(
      () => isShown.value ? t("Hide password") : t("Show password"),
      () => void (isShown.value = !isShown.peek()),
      {
        kind: "plain",
        isSmall: true,
      },
    ),
  );
}
