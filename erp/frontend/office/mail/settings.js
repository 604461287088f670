// The mail server of the workspace, with a test.
import { send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { showAgain } from "../../core/router.js";
import { session } from "../../core/session.js";
import { changed, resource } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { alert } from "../../ui/alert.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { textArea, textInput } from "../../ui/input.js";
import { numberInput } from "../../ui/number.js";
import { loaded } from "../../ui/skeleton.js";
import { follow, MESSAGES, outcome } from "../../ui/message.js";

const MAIL = "/workspace/mail";
const PORTS = { starttls: "587", tls: "465", none: "25" };
const { div, p } = tags;

export default () => {
  const mail = resource(MAIL);
  return {
    title: t("Mail server"),
    back: { href: "/settings", text: t("Settings") },
    actions: () =>
      mail.value?.host
        ? [{
          name: t("Remove"),
          icon: "trash-2",
          danger: true,
          asks: {
            title: t("Remove the mail server?"),
            text: t("Messages that have not been sent wait for another mail server."),
            verb: t("Remove"),
          },
          run: async () => {
            await send("DELETE", MAIL);
            await changed(MAIL);
            await showAgain(); // with empty fields
          },
        }]
        : [],
    body: div({ class: "stack document" }, loaded(mail, (get) => parts(mail, get))),
  };
};

const parts = (mail, get) =>
  div(
    { class: "stack" },
    () => get().isPaused && paused(mail),
    p({ class: "soft" }, t("Without a mail server, messages open in your own mail program.")),
    settings(get),
    () => get().host && testing(),
  );

const paused = (mail) =>
  alert({
    text: t("Nothing is sent: the mail server refused the user name or the password."),
    actions: [
      button(t("Try again"), async () => {
        await send("POST", `${MAIL}/resume`);
        await changed(MAIL);
        mail.renew?.();
      }),
    ],
  });

function settings(get) {
  const now = get();
  const names = ["host", "userName", "fromAddress", "fromName", "replyTo", "copyTo", "certificate"];
  const values = Object.fromEntries(names.map((name) => [name, signal(now[name] ?? "")]));
  const [port, perHour, security] = [signal(String(now.port)), signal(String(now.perHour)), signal(now.security)];
  const password = signal("");
  const bodyOf = () => ({
    ...Object.fromEntries(names.map((name) => [name, values[name].value || null])),
    host: values.host.value,
    fromAddress: values.fromAddress.value,
    port: Number(port.value),
    perHour: Number(perHour.value),
    security: security.value,
    ...(password.value ? { password: password.value } : security.value === "none" ? { password: null } : {}),
  });
  const run = async () => {
    await send("PATCH", MAIL, bodyOf(), { version: get().version || undefined });
    password.value = "";
    await changed(MAIL);
    notify(t("Saved."), { kind: "good" });
  };
  const text = (label, name, more = {}) =>
    field(
      { label, name, isOptional: !["host", "fromAddress"].includes(name), ...more },
      textInput({ value: values[name], name, type: /address|To$/i.test(name) ? "email" : "text", autocomplete: "off" }),
    );
  return card(
    { title: t("Mail server") },
    form(
      { run, submit: t("Save"), label: t("Mail server") },
      div(
        { class: "fields" },
        text(t("Server"), "host", { hint: "smtp.example.com" }),
        field(
          { label: t("Encryption"), name: "security" },
          choice({
            value: security,
            name: "security",
            options: [
              { value: "starttls", text: "STARTTLS" },
              { value: "tls", text: "TLS" },
              { value: "none", text: t("none, in a private network") },
            ],
          }),
        ),
        field(
          { label: t("Port"), name: "port", hint: () => t("Usually {port}.", { port: PORTS[security.value] }) },
          numberInput({ value: port, name: "port", show: String }),
        ),
        text(t("User name"), "userName"),
        field(
          {
            label: t("Password"),
            name: "password",
            isOptional: true,
            hint: now.hasPassword ? t("A password is kept. Type to replace it.") : null,
          },
          textInput({ value: password, name: "password", type: "password", autocomplete: "new-password" }),
        ),
        text(t("Sender’s address"), "fromAddress"),
        text(t("Sender’s name"), "fromName"),
        text(t("Replies to"), "replyTo"),
        text(t("Hidden copy to"), "copyTo", { hint: t("Of each message.") }),
        field(
          { label: t("Messages per hour, at most"), name: "perHour" },
          numberInput({ value: perHour, name: "perHour" }),
        ),
      ),
      field(
        {
          label: t("Certificate to trust (PEM)"),
          name: "certificate",
          isOptional: true,
          isWide: true,
          hint: t("Only for a mail server with a certificate of its own."),
        },
        textArea({ value: values.certificate, name: "certificate", rows: 2 }),
      ),
    ),
  );
}

function testing() {
  const [to, message] = [signal(session.peek().user.email), signal(null)];
  const run = async () => {
    message.value = await send("POST", `${MAIL}/test`, { to: to.value });
    changed(MESSAGES);
    follow(message).then(() => message.peek().problem === "login_refused" && changed(MAIL));
  };
  return card(
    { title: t("Send a test") },
    form(
      { run, submit: t("Send a test"), kind: "plain", label: t("Send a test") },
      field({ label: t.of("mail", "To"), name: "to" }, textInput({ value: to, name: "to", type: "email" })),
    ),
    div({ role: "status" }, () => message.value && outcome(message.value)),
  );
}
