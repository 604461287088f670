// The kiosks of the workspace: set up, and deleted when a tablet is lost.
import { send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { confirm, dialog } from "../../ui/dialog.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { table } from "../../ui/table.js";
import { allSites, siteOptions } from "../sites/choice.js";

const { div, p } = tags;
const KIOSKS = "/hr/kiosks";

export default function kiosks() {
  const sites = allSites();
  return {
    title: t("Kiosks"),
    back: { href: "/attendance", text: t("Attendance") },
    actions: [
      {
        name: t("New kiosk"),
        key: "n",
        main: true,
        icon: "plus",
        may: "attendance.write",
        run: () => settingUp(sites),
      },
    ],
    body: div(
      { class: "stack" },
      p(
        { class: "soft" },
        t("A kiosk is a tablet at which people clock in and out with a PIN. They set the PIN under Me, or you set it."),
      ),
      table({
        label: t("Kiosks"),
        page: "/kiosks",
        list: list(() => KIOSKS),
        key: ({ id }) => id,
        columns: columns(sites),
        actions: (kiosk) => [{ name: t("Delete"), icon: "trash-2", run: () => remove(kiosk) }],
        empty: empty(t("No kiosks yet.")),
      }),
    ),
  };
}

const columns = (sites) => [
  { key: "name", text: t("Name"), place: "name", cell: ({ name }) => name },
  { key: "site", text: t("Site"), place: "meta", cell: ({ siteId }) => () => nameOf(sites, siteId) },
  { key: "used", text: t("Last used"), place: "state", cell: ({ lastUsedAt }) => lastUsedAt && dayOf(lastUsedAt) },
  {
    key: "made",
    text: t("Created"),
    isMinor: true,
    cell: ({ createdAt, createdByName }) => [dayOf(createdAt), createdByName].filter(Boolean).join(" · "),
  },
];

const nameOf = (sites, id) => id ? sites.value?.find((site) => site.id === id)?.name : t("All sites");

const dayOf = (instant) => day(instant.slice(0, 10));

const settingUp = (sites) =>
  dialog({
    title: t("New kiosk"),
    body: (close) => {
      const made = signal(null);
      return div(() => (made.value ? told(made.value) : naming(made, sites, close)));
    },
  });

function naming(made, sites, close) {
  const [name, siteId] = [signal(""), signal(null)];
  const run = async () => {
    made.value = await send("POST", KIOSKS, { name: name.value, siteId: siteId.value });
    changed(KIOSKS);
  };
  return form(
    { run, submit: t("Set up"), cancel: () => close(), label: t("New kiosk") },
    field(
      { label: t("Name"), name: "name", hint: t("The place, for example Entrance.") },
      textInput({ value: name, name: "name", autofocus: true }),
    ),
    () => (sites.value ?? []).length > 1 && siteField(siteId, sites),
  );
}

const siteField = (siteId, sites) =>
  field(
    { label: t("Site"), name: "siteId", isOptional: true, hint: t("Only the people who work there.") },
    choice({ value: siteId, name: "siteId", options: siteOptions(sites), empty: t("All sites") }),
  );

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
