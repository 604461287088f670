// A shared document: the secret is behind # in the address, which no server sees, and goes out in the body alone.
"use strict";
const main = document.querySelector("main");
const texts = JSON.parse(document.getElementById("texts").textContent);
const language = document.documentElement.lang;
const region = language === "en" ? "en-GB" : language; // British English, as elsewhere
const secret = location.hash.slice(1);
let pin = null;

const make = (name, text, about = {}) => Object.assign(document.createElement(name), { textContent: text, ...about });
const day = (text) =>
  new Intl.DateTimeFormat(region, { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${text}T00:00:00Z`));
const money = (text, currency) => new Intl.NumberFormat(region, { style: "currency", currency }).format(text);

const ask = (path, more = {}) =>
  fetch(`/api/v1/share/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Accept-Language": language },
    body: JSON.stringify({ secret, ...(pin === null ? {} : { pin }), ...more }),
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
  });

function show(title, ...parts) {
  document.title = title;
  const heading = make("h1", title, { tabIndex: -1 });
  main.replaceChildren(heading, ...parts);
  heading.focus();
}

async function refused(answer) {
  const { code, message } = (await answer.json()).error;
  if (code === "pin_needed" || code === "wrong_pin") return askPin(code === "wrong_pin" ? message : "");
  if (code === "rate_limited" && pin !== null) return askPin(message);
  show(texts.nothing, make("p", message));
}

function askPin(problem) {
  const input = make("input", "", { id: "pin", inputMode: "numeric", autocomplete: "off", maxLength: 12, required: true });
  const form = make("form");
  const said = make("p", problem, { className: "bad", id: "problem" });
  if (problem) input.setAttribute("aria-describedby", "problem");
  form.append(
    make("label", texts.pin, { htmlFor: "pin" }),
    input,
    ...(problem ? [said] : []),
    make("div"),
  );
  form.lastChild.append(make("button", texts.open, { className: "main" }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    pin = input.value;
    open();
  });
  show(texts.title, form);
  input.focus();
}

function facts(pairs) {
  const list = make("dl");
  for (const [label, value, isStrong] of pairs) {
    if (value) list.append(make("dt", label), make("dd", value, { className: isStrong ? "strong" : "" }));
  }
  return list;
}

async function download(form, button) {
  button.disabled = true;
  try {
    const answer = await ask("file", { form });
    if (!answer.ok) return await refused(answer);
    const name = /filename="?([^";]+)/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? `document.${form}`;
    const address = URL.createObjectURL(await answer.blob());
    make("a", "", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  } catch {
    show(texts.nothing, make("p", texts.offline));
  } finally {
    button.disabled = false;
  }
}

function shown(found) {
  const { payment } = found;
  const buttons = make("div");
  for (const form of found.forms) {
    const button = make("button", texts[`form.${form}`] ?? form, { className: form === "pdf" ? "main" : "" });
    button.addEventListener("click", () => download(form, button));
    buttons.append(button);
  }
  const parts = [
    facts([
      [texts.office, found.office],
      [texts.issueDate, day(found.issueDate)],
      [texts.dueDate, found.dueDate && day(found.dueDate)],
      [texts.total, money(found.total, found.currency)],
      [texts.amountDue, found.payment || Number(found.amountDue) ? money(found.amountDue, found.currency) : null, true],
      [texts.state, texts[`state.${found.state}`] ?? found.state],
    ]),
    buttons,
  ];
  if (payment) {
    parts.push(
      make("h2", texts.payment),
      facts([
        [texts.holder, payment.holder],
        ["IBAN", payment.iban.replace(/(.{4})(?=.)/g, "$1 ")],
        ["BIC", payment.bic],
        [texts.reference, payment.reference],
      ]),
    );
  }
  show(`${texts[`kind.${found.kind}`] ?? ""} ${found.number}`.trim(), ...parts);
}

async function open() {
  try {
    const answer = await ask("view");
    if (!answer.ok) return await refused(answer);
    shown((await answer.json()).data);
  } catch {
    show(texts.nothing, make("p", texts.offline));
  }
}

addEventListener("hashchange", () => location.reload());
open();
