// Signing in with a code of an app as well: the field for it, and switching it on and off.
import { send } from "../../core/api.js";
import { day } from "../../core/format.js";
import { t, tn } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, svg, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { dialog } from "../../ui/dialog.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { knownTo } from "./register.js";

const PATH = "/auth/two-factor";
const { div, li, ol, p } = tags;

export const codeField = (code, hint = t("From your app, or a recovery code.")) =>
  field(
    { label: t("Verification code"), name: "code", hint },
    textInput({ value: code, name: "code", autocomplete: "one-time-code", inputmode: "text" }),
  );

const passwordField = (password) => [
  knownTo(session.peek().user.email),
  field(
    { label: t("Your password"), name: "password" },
    textInput({ value: password, name: "password", type: "password", autocomplete: "current-password" }),
  ),
];

// `done` is called once it is on, and the recovery codes were shown.
export function secondFactor(done = () => {}) {
  const state = resource(PATH);
  return card(
    { title: t("Two-factor sign-in") },
    () => state.value && (state.value.isOn ? on(state.value) : off(done)),
  );
}

const off = (done) => [
  p(t("With an app on your phone, your password alone no longer lets anyone in.")),
  button(t("Turn on"), () => switchOn(done)),
];

const on = ({ since, recoveryCodesLeft }) => [
  p(t("Turned on since {day}.", { day: day(since.slice(0, 10)) })),
  p(
    { class: recoveryCodesLeft < 3 ? "warn" : "soft" },
    tn("{n} recovery code is left.", "{n} recovery codes are left.", recoveryCodesLeft),
  ),
  div(
    { class: "row" },
    button(
      t("New recovery codes"),
      () =>
        proving(
          t("New recovery codes"),
          t("Create new codes"),
          async (proof) => showCodes(await send("POST", `${PATH}/recovery-codes`, proof)),
        ),
    ),
    button(t("Turn off"), () =>
      proving(t("Turn off two-factor sign-in"), t("Turn off"), async (proof) => {
        await send("POST", `${PATH}/disable`, proof);
        notify(t("Two-factor sign-in turned off."), { kind: "good" });
      })),
  ),
];

// Ask for password and code, and do something with them.
function proving(title, submit, act) {
  const [password, code] = [signal(""), signal("")];
  return dialog({
    title,
    body: (close) =>
      form(
        {
          run: async () => {
            const proof = { password: password.value, code: code.value };
            await act(proof).finally(() => changed(PATH));
            close();
          },
          submit,
          cancel: () => close(),
        },
        passwordField(password),
        codeField(code),
      ),
  });
}

function switchOn(done) {
  const [password, code] = [signal(""), signal("")];
  const made = signal(null);
  return dialog({
    title: t("Turn on two-factor sign-in"),
    body: (close) =>
      div(() =>
        made.value
          ? form(
            {
              run: async () => {
                const codes = await send("POST", `${PATH}/confirm`, { code: code.value });
                changed(PATH, "/auth/sessions");
                close();
                await showCodes(codes);
                await done();
              },
              submit: t("Turn on"),
              cancel: () => close(),
              label: t("Two-factor sign-in"),
            },
            ol(
              li(t("Open an authenticator app on your phone, for example Aegis, FreeOTP or 2FAS.")),
              li(t("Scan this QR code with the app, or type the setup key.")),
              li(t("Enter the six digits shown by the app.")),
            ),
            picture(made.value.qr),
            handedOver(made.value.secret),
            codeField(code, t("You are then signed out everywhere else.")),
          )
          : form(
            {
              run: async () => void (made.value = await send("POST", `${PATH}/setup`, { password: password.value })),
              submit: t("Continue"),
              cancel: () => close(),
              label: t("Two-factor sign-in"),
            },
            passwordField(password),
          )
      ),
  });
}

// The squares of a QR code, drawn here: markup is never taken as it is.
function picture(drawn) {
  const [, size] = drawn.match(/viewBox="([^"]*)"/);
  const [, squares] = drawn.match(/stroke="#000" d="([^"]*)"/);
  return svg.svg(
    { viewBox: size, width: "200", height: "200", role: "img", "aria-label": t("QR code for your app") },
    svg.rect({ width: "100%", height: "100%", fill: "white" }),
    svg.path({ d: squares, stroke: "black" }),
  );
}

const showCodes = ({ recoveryCodes }) =>
  dialog({
    title: t("Your recovery codes"),
    body: () =>
      div(
        { class: "stack" },
        p(t(
          "Each code signs you in once if your phone is lost. Print them or write them down: they are not shown again.",
        )),
        handedOver(recoveryCodes.join("\n")),
      ),
    actions: (close) => [
      button(t("Print"), () => print()),
      button(t("Done"), () => close(), { kind: "main" }),
    ],
  });
