// Who can open the server: a switch, the address for other computers with its QR code, or how to start it otherwise.
import { file, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { toggle } from "../../ui/choice.js";
import { confirm } from "../../ui/dialog.js";
import { handedOver } from "../../ui/handed_over.js";
import { loaded } from "../../ui/skeleton.js";

const { a, code, div, img, p } = tags;
const [PAUSE, TRIES] = [300, 60]; // ms between two looks whether the server listens again, and how many
const ANNOUNCED_AFTER = 8000; // ms until the network has been told the server's name

export const isHere = () => ["127.0.0.1", "[::1]", "localhost"].includes(location.hostname);

export function serverAccess() {
  const state = resource("/system/sharing");
  return loaded(state, (get) => div({ class: "stack" }, () => shown(get())));
}

function shown(state) {
  const url = state.addresses.public ?? state.addresses.network[0];
  return [
    state.canBeSwitched && theSwitch(state),
    url && shared(url, state.addresses.announced),
    state.tls?.trustUrl && trusted(state.tls),
    !url && !state.isShared && p(t("Only this computer can open the server so far.")),
    !url && state.isShared && p(t("This computer is in no network now.")),
    !url && !state.canBeSwitched && otherwise(state.command),
  ];
}

// How others come to trust the certificate, and what they compare.
const trusted = ({ trustUrl, fingerprint }) =>
  div(
    { class: "stack-tight" },
    p(
      t("The connection is encrypted. Phones and computers have to trust this server once:"),
      " ",
      a({ href: trustUrl }, trustUrl),
    ),
    p({ class: "soft small" }, t("The devices show this fingerprint:")),
    code({ class: "small breaks" }, fingerprint),
  );

function theSwitch(state) {
  const isOn = signal(state.isShared);
  const isBusy = signal(false);
  const act = async (wanted) => {
    if (!wanted && !(await isSure())) return void (isOn.value = true);
    isBusy.value = true;
    try {
      await send("PATCH", "/system/sharing", { isShared: wanted });
      await listening();
    } finally {
      isBusy.value = false;
      changed("/system/");
      setTimeout(() => changed("/system/sharing"), ANNOUNCED_AFTER);
    }
  };
  return div(
    { class: "stack-tight" },
    toggle({
      value: isOn,
      text: t("Share with the local network"),
      hint: t("Others on your network can then open the sign-in page. Only people with an invite can register."),
      isOff: () => isBusy.value,
      onchange: act,
    }),
    p({ role: "status", class: "soft small" }, () => isBusy.value && t("The server is starting to listen again …")),
  );
}

const isSure = () =>
  confirm({
    title: t("Stop sharing?"),
    text: isHere()
      ? t("Other computers and phones can then no longer open the server.")
      : t("Only the computer on which the server runs can then open it. This page will lose its connection."),
    verb: t("Stop sharing"),
    danger: true,
  });

// Until the server answers again, or for as long as it may take to start.
async function listening() {
  for (let tries = 0; tries < TRIES; tries += 1) {
    await new Promise((done) => setTimeout(done, PAUSE));
    try {
      return await file("/api/health");
    } catch {
      continue; // it does not listen yet
    }
  }
  return null;
}

const otherwise = (command) => [
  p(t(
    "Sharing depends on how the program was started. To share it with the network, stop it and start it again with this command. This page and the program’s window then show the address for other computers.",
  )),
  handedOver(command),
];

const shared = (url, announced) => [
  div(
    { class: "row" },
    img({ src: "/api/v1/system/qr", alt: t("QR code of {url}", { url }), width: "144", height: "144" }),
    div({ class: "stack-tight" }, p(t("Colleagues can open this address or scan the code:")), handedOver(url)),
  ),
  announced && p(t("Most computers and phones find it as {url} too.", { url: announced })),
  url.startsWith("http:") &&
  p(
    { class: "soft small" },
    t("Anyone on this network could read what is sent: the connection is not encrypted. On a network that you do not trust, put an https proxy in front of the server and name its address with --public-url."),
  ),
];

// Said before an invite is made that only this computer could open, with where the server is shared.
export function notSharedYet(where) {
  const state = resource("/system/sharing");
  return () =>
    state.value && !state.value.isShared && !state.value.addresses.public
      ? alert({
        kind: "warn",
        text: [t("Only this computer can open the server so far, so no one else can use the link."), where].join(" "),
      })
      : null;
}
