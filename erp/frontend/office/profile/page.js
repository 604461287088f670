// Oneself: name, language, appearance and keys, password, where one is signed in, calendars, tokens for scripts.
import { download, send } from "../../core/api.js";
import { ago, day, moment } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { notify } from "../../core/notices.js";
import { may, preferences, readSession, session } from "../../core/session.js";
import { changed, list } from "../../core/store.js";
import { signal, tags } from "../../core/view.js";
import { button } from "../../ui/button.js";
import { card } from "../../ui/card.js";
import { checkbox, choice, toggle } from "../../ui/choice.js";
import { empty } from "../../ui/empty.js";
import { field } from "../../ui/field.js";
import { form } from "../../ui/form.js";
import { handedOver } from "../../ui/handed_over.js";
import { textInput } from "../../ui/input.js";
import { pill } from "../../ui/pill.js";
import { noticePreferences } from "../notices/preferences.js";
import { calendars } from "./calendars.js";
import { knownTo, newPassword } from "../sign_in/register.js";
import { secondFactor } from "../sign_in/second_factor.js";

const { div, fieldset, legend, li, p, strong, ul } = tags;
const LANGUAGES = [
  ["en", "English"],
  ["en-GB", "English (United Kingdom)"],
  ["en-US", "English (United States)"],
  ["de", "Deutsch"],
  ["de-AT", "Deutsch (Österreich)"],
  ["de-CH", "Deutsch (Schweiz)"],
];

export default () => ({
  title: t("Your profile"),
  body: div(
    { class: "columns document" },
    div({ class: "stack" }, aboutYou(), appearance(), password(), secondFactor()),
    div({ class: "stack" }, noticePreferences(), sessions(), calendars(), tokens(), ownData()),
  ),
});

const ownData = () =>
  may("employees.read_own") &&
  card(
    { title: t("Your data") },
    p({ class: "soft" }, t("A file of all that this workspace holds about you.")),
    div(button(t("Export personal data"), () => download("/hr/me/export"), { icon: "download", isSmall: true })),
  );

function aboutYou() {
  const { user } = session.peek();
  const name = signal(user.name);
  const run = async () => {
    await send("PATCH", "/auth/me", { name: name.value });
    await readSession();
    notify(t("Saved."), { kind: "good" });
  };
  return card(
    { title: t("You") },
    form(
      { run, submit: t("Save"), label: t("You") },
      field({ label: t("Name"), name: "name" }, textInput({ value: name, name: "name", autocomplete: "name" })),
      p({ class: "soft" }, user.email),
    ),
  );
}

function appearance() {
  const { locale, theme, singleKeys } = preferences();
  const values = {
    locale: signal(locale ?? "en"),
    theme: signal(theme ?? "system"),
    singleKeys: signal(singleKeys ?? true),
  };
  const known = LANGUAGES.some(([tag]) => tag === locale) ? LANGUAGES : [...LANGUAGES, [locale, locale]];
  const run = async () => {
    await send(
      "PATCH",
      "/auth/preferences",
      Object.fromEntries(Object.entries(values).map(([name, one]) => [name, one.value])),
    );
    location.reload(); // every text is made again
  };
  const themes = [["system", t("As the system")], ["light", t("Light")], ["dark", t("Dark")]];
  return card(
    { title: t("Language and appearance") },
    form(
      { run, submit: t("Save"), label: t("Language and appearance") },
      field(
        { label: t("Language"), name: "locale" },
        choice({ value: values.locale, name: "locale", options: known.map(([value, text]) => ({ value, text })) }),
      ),
      field(
        { label: t("Appearance"), name: "theme" },
        choice({ value: values.theme, name: "theme", options: themes.map(([value, text]) => ({ value, text })) }),
      ),
      toggle({
        value: values.singleKeys,
        name: "singleKeys",
        text: t("Single-key shortcuts"),
        hint: t("Turn off if you use voice input."),
      }),
    ),
  );
}

function password() {
  const [current, chosen] = [signal(""), signal("")];
  const run = async () => {
    await send("POST", "/auth/change-password", { currentPassword: current.value, newPassword: chosen.value });
    [current.value, chosen.value] = ["", ""];
    changed("/auth/sessions");
    notify(t("Password changed. You are signed out everywhere else."), { kind: "good" });
  };
  return card(
    { title: t("Password") },
    form(
      { run, submit: t("Change the password"), label: t("Password") },
      knownTo(session.peek().user.email),
      field(
        { label: t("Current password"), name: "currentPassword" },
        textInput({ value: current, name: "currentPassword", type: "password", autocomplete: "current-password" }),
      ),
      newPassword(chosen, "newPassword", t("New password")),
    ),
  );
}

function sessions() {
  const found = list("/auth/sessions");
  const end = async (id) => {
    await send("DELETE", `/auth/sessions/${id}`);
    changed("/auth/sessions");
  };
  return card(
    { title: t("Sessions") },
    () =>
      ul(
        { class: "plain-list" },
        (found.items ?? []).map((one) =>
          li(
            { class: "spread" },
            div(
              strong(browserOf(one.userAgent)),
              div(
                { class: "soft small" },
                [one.address, t("used {ago}", { ago: ago(one.lastUsedAt) })].filter(Boolean).join(" · "),
              ),
            ),
            one.isCurrent
              ? pill(t("this device"), "good")
              : button(t("Sign out"), () => end(one.id), { isSmall: true }),
          )
        ),
      ),
  );
}

// What a browser calls itself, as people call it.
function browserOf(text) {
  const browser = ["Edg", "Firefox", "Chrome", "Safari"].find((name) => text?.includes(name));
  const system = [["Windows", "Windows"], ["Android", "Android"], ["iPhone", "iPhone"], ["Mac OS", "macOS"], [
    "Linux",
    "Linux",
  ]].find(([mark]) => text?.includes(mark))?.[1];
  const name = { Edg: "Edge" }[browser] ?? browser;
  if (!name) return text?.slice(0, 40) || t("A program");
  return system ? t("{browser} on {system}", { browser: name, system }) : name;
}

// The areas of the scopes that a token may have.
const areas = () => [
  ["finance", t("Books")],
  ["projects", t("Projects")],
  ["tasks", t("Tasks and time")],
  ["hr", t("People")],
  ["payroll", t("Payroll")],
  ["workspace", t("Workspace")],
];

function reach({ scopes, isReadOnly }) {
  const names = Object.fromEntries(areas());
  if (!scopes) return isReadOnly ? t("can only read") : t("can read and write");
  const changing = scopes.filter((one) => one.endsWith(":write") && !isReadOnly).map((one) => names[one.split(":")[0]]);
  const all = [...new Set(scopes.map((one) => names[one.split(":")[0]]))];
  const read = all.filter((area) => !changing.includes(area));
  return [
    read.length && t("can read {areas}", { areas: read.join(", ") }),
    changing.length && t("can read and write {areas}", { areas: changing.join(", ") }),
  ].filter(Boolean).join(" · ");
}

function tokens() {
  const found = list("/auth/tokens");
  const [name, isReadOnly, made] = [signal(""), signal(true), signal(null)];
  const chosen = Object.fromEntries(areas().map(([area]) => [area, signal(false)]));
  const run = async () => {
    const may = isReadOnly.value ? "read" : "write";
    const scopes = Object.keys(chosen).filter((area) => chosen[area].value).map((area) => `${area}:${may}`);
    made.value = await send("POST", "/auth/tokens", {
      name: name.value,
      isReadOnly: isReadOnly.value,
      scopes: scopes.length ? scopes : null,
      workspaceId: session.peek().workspace.id,
    });
    name.value = "";
    changed("/auth/tokens");
  };
  const revoke = async (id) => {
    await send("DELETE", `/auth/tokens/${id}`);
    changed("/auth/tokens");
  };
  const row = (one) =>
    li(
      { class: "spread" },
      div(
        strong(one.name),
        div(
          { class: "soft small" },
          [
            reach(one),
            one.lastUsedAt ? t("used {ago}", { ago: ago(one.lastUsedAt) }) : t("never used"),
            one.expiresAt && t("until {day}", { day: day(one.expiresAt.slice(0, 10)) }),
          ].filter(Boolean).join(" · "),
        ),
      ),
      button(t("Revoke"), () => revoke(one.id), { isSmall: true }),
    );
  return card(
    { title: t("Access tokens") },
    () => (found.items?.length
      ? ul({ class: "plain-list" }, found.items.map(row))
      : empty(t("A script signs in with a token instead of your password."))),
    form(
      { run, submit: t("Create access token"), label: t("Access tokens") },
      field({ label: t("Name"), name: "name" }, textInput({ value: name, name: "name", autocomplete: "off" })),
      checkbox({ value: isReadOnly, name: "isReadOnly", text: t("Read-only") }),
      fieldset(
        { class: "radios", "data-name": "scopes", tabindex: "-1" },
        legend({ class: "field-label" }, t("Areas")),
        p({ class: "soft small" }, t("Choose none for everything that you may do.")),
        areas().map(([area, text]) => checkbox({ value: chosen[area], name: `scopes.${area}`, text })),
      ),
    ),
    div(
      { "aria-live": "polite" },
      () =>
        made.value &&
        [
          p(t("Copy it now. It is not shown again.")),
          handedOver(made.value.token),
          p(
            { class: "soft small" },
            made.value.expiresAt ? t("Valid until {moment}", { moment: moment(made.value.expiresAt) }) : "",
          ),
        ],
    ),
  );
}
