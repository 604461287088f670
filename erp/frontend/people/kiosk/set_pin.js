// The PIN with which a person clocks in and out at a kiosk.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { signal } from "../../core/view.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textInput } from "../../ui/input.js";

export const setPin = ({ id, name }) =>
  dialog({ title: t("PIN of {name}", { name }), body: (close) => pinForm(id, close) });

function pinForm(id, close) {
  const pin = signal("");
  const run = async () => {
    await send("PUT", `/hr/employees/${id}/kiosk-pin`, { pin: pin.value });
    close();
    notify(t("PIN set."), { kind: "good" });
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
  );
}
