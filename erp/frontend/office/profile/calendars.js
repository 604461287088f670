// The secret addresses at which a calendar program reads one's open tasks, and who is on leave.
import { send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { may, session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { perform } from "../../ui/actions.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { handedOver } from "../../ui/handed_over.js";
import { loaded } from "../../ui/skeleton.js";

const { div, li, p, strong, ul } = tags;
const OWN = "/auth/calendar-addresses";
const CALENDARS = [
  { kind: "tasks", path: "/tasks/calendar-address", right: "tasks.read", name: () => t("Your open tasks") },
  {
    kind: "leave",
    path: "/hr/leaves/calendar-address",
    right: "leave.read_own",
    name: () => t("Leave and public holidays"),
  },
];

// Nothing without a workspace, since there is no right without one.
export function calendars() {
  const readable = CALENDARS.filter(({ right }) => may(right));
  if (!readable.length) return null;
  return card(
    { title: t("Calendars") },
    p(
      { class: "soft" },
      t("A calendar program on your phone or computer can subscribe to these calendars. Anyone who knows an address can read its calendar."),
    ),
    ul({ class: "plain-list" }, readable.map(calendar)),
    elsewhere(),
  );
}

// Addresses in other workspaces, left ones included.
function elsewhere() {
  const every = resource(OWN);
  const others = () => (every.value ?? []).filter((one) => one.workspaceId !== session.peek().workspace.id);
  const revoke = async ({ id }) => {
    await send("DELETE", `${OWN}/${id}`);
    changed(OWN);
  };
  const row = (one) =>
    li(
      { class: "spread" },
      div(
        strong(CALENDARS.find(({ kind }) => kind === one.kind).name()),
        div({ class: "soft small" }, `${one.workspaceName} · ${day(one.createdAt.slice(0, 10))}`),
      ),
      button(t("Revoke"), () => revoke(one), { isSmall: true }),
    );
  return () =>
    others().length > 0 && [p(strong(t("In other workspaces"))), ul({ class: "plain-list" }, others().map(row))];
}

function calendar({ path, name }) {
  const state = resource(path);
  const made = signal(null);
  const create = async () => {
    made.value = await send("POST", path);
    changed(path);
  };
  const replace = {
    name: t("Create a new address"),
    asks: {
      title: t("Create a new address?"),
      text: t("The old address stops working immediately. Every program that subscribed needs the new one."),
    },
    danger: true,
    run: create,
  };
  const creating = button(
    () => (state.value?.isActive ? replace.name : t("Create address")),
    () => (state.value?.isActive ? perform(replace) : create()),
    { isSmall: true },
  );
  const revoke = async () => {
    await send("DELETE", path);
    made.value = null;
    await changed(path);
    creating.focus(); // the button that was pressed is gone
  };
  return li(
    { class: "stack-tight" },
    loaded(
      state,
      (get) =>
        div(
          { class: "spread" },
          div(
            strong(name()),
            div({ class: "soft small" }, () => (get().isActive
              ? t("turned on since {day}", { day: day(get().createdAt.slice(0, 10)) })
              : t("not turned on"))),
          ),
          div(
            { class: "row" },
            creating,
            () =>
              get().isActive && button(t("Revoke"), revoke, { isSmall: true }),
          ),
        ),
      { rows: 1 },
    ),
    div({ "aria-live": "polite" }, () => made.value && shownOnce(made.value)),
  );
}

const shownOnce = ({ url }) =>
  div(
    { class: "stack-tight" },
    p(t("Copy it now. It is not shown again.")),
    handedOver(url),
    new URL(url).hostname === "127.0.0.1" &&
      p(
        { class: "warn" },
        t("This address works only on this computer, because the server is not shared with the network. Once it is shared, create a new address."),
      ),
  );
