// The PIN with which a person clocks in and out at a kiosk.
import { get, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";

export async function setPin({ id, name }) {
  const path = `/hr/employees/${id}/kiosk-pin`;
  const { setAt } = await get(path);
  return dialog({ title: t("PIN of {name}", { name }), body: (close) => pinForm(path, Boolean(setAt), close) });
}

function pinForm(path, isSet, close) {
  const pin = signal("");
  const run = async () => {
    await send("PUT", path, { pin: pin.value });
    close();
    notify(t("PIN set."), { kind: "good" });
  };
  const remove = async () => {
    await send("DELETE", path);
    close();
    notify(t("PIN removed."), { kind: "good" });
  };
  return form(
    { run, submit: t("Set PIN"), cancel: () => close(), label: t("Set PIN") },
    field(
      { label: t("PIN"), name: "pin", hint: t("4 to 8 digits, for the kiosk. An earlier PIN no longer works.") },
      textInput({
        value: pin,
        name: "pin",
        type: "password",
        inputmode: "numeric",
        autocomplete: "new-password",
        maxlength: 8,
        autofocus: true,
      }),
    ),
    isSet && tags.p(button(t("Remove the PIN"), remove, { kind: "plain", icon: "trash-2", isSmall: true })),
  );
}
