// The kiosks of the workspace: set up, and deleted when a tablet is lost.
import { send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { confirm, dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { table } from "../../ui/table.js";

const { div, p } = tags;
const KIOSKS = "/hr/kiosks";

export default () => ({
  title: t("Kiosks"),
  back: { href: "/attendance", text: t("Attendance") },
  actions: [{ name: t("New kiosk"), key: "n", main: true, icon: "plus", may: "attendance.write", run: settingUp }],
  body: div(
    { class: "stack" },
    p(
      { class: "soft" },
      t("A kiosk is a tablet at which people clock in and out with a PIN. They set the PIN under Me, or you set it."),
    ),
    table({
      label: t("Kiosks"),
      list: list(() => KIOSKS),
      key: ({ id }) => id,
      columns: [
        { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
        {
          key: "used",
          text: t("Last used"),
          place: "state",
          cell: ({ lastUsedAt }) => lastUsedAt && dayOf(lastUsedAt),
        },
        {
          key: "made",
          text: t("Created"),
          place: "meta",
          cell: ({ createdAt, createdByName }) => [dayOf(createdAt), createdByName].filter(Boolean).join(" · "),
        },
      ],
      actions: (kiosk) => [{ name: t("Delete"), icon: "trash-2", run: () => remove(kiosk) }],
      empty: empty(t("No kiosks yet.")),
    }),
  ),
});

const dayOf = (instant) => day(instant.slice(0, 10));

const settingUp = () =>
  dialog({
    title: t("New kiosk"),
    body: (close) => {
      const made = signal(null);
      return div(() => (made.value ? told(made.value) : naming(made, close)));
    },
  });

function naming(made, close) {
  const name = signal("");
  const run = async () => {
    made.value = await send("POST", KIOSKS, { name: name.value });
    changed(KIOSKS);
  };
  return form(
    { run, submit: t("Set up"), cancel: () => close(), label: t("New kiosk") },
    field(
      { label: t("Name"), name: "name", hint: t("The place, for example Entrance.") },
      textInput({ value: name, name: "name", autofocus: true }),
    ),
  );
}

const told = ({ url }) =>
  div(
    { class: "stack" },
    p(t("Open this address once on the tablet. It is not shown again.")),
    handedOver(url),
  );

async function remove({ id, name }) {
  const text = t("The tablet can no longer clock anybody in or out. What was clocked stays.");
  if (!(await confirm({ title: t("Delete {name}?", { name }), text, verb: t("Delete"), danger: true }))) return;
  await send("DELETE", `${KIOSKS}/${id}`);
  changed(KIOSKS);
}
