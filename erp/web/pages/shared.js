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
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const number = (text) => new Intl.NumberFormat(region, { maximumFractionDigits: 6 }).format(text);
const money = (text, currency, digits = undefined) => {
  const usual = new Intl.NumberFormat(region, { style: "currency", currency });
  if (!digits) return usual.format(text);
  return new Intl.NumberFormat(region, { style: "currency", currency, maximumFractionDigits: digits }).format(text);
};

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
  const input = make("input", "", {
    id: "pin",
    inputMode: "numeric",
    autocomplete: "off",
    maxLength: 12,
    required: true,
  });
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

function shown(found, said = null) {
  const { payment, revision } = found;
  const kind = `${texts[`kind.${found.kind}`] ?? ""} ${found.number}`.trim();
  const parts = [
    facts([
      [texts.office, found.office],
      [texts.issueDate, day(found.issueDate)],
      [found.lines ? texts.validUntil : texts.dueDate, found.dueDate && day(found.dueDate)],
      [texts.total, found.lines ? null : money(found.total, found.currency)],
      [texts.amountDue, found.payment || Number(found.amountDue) ? money(found.amountDue, found.currency) : null, true],
      [texts.state, texts[`state.${found.state}`] ?? found.state],
    ]),
    downloads(found.forms),
  ];
  if (said) parts.unshift(said);
  if (payment) {
    parts.push(
      make("h2", texts.payment),
      facts([
        [texts.holder, payment.holder],
        ["IBAN", payment.iban.replace(/(.{4})(?=.)/g, "$1 ")],
        ["BIC", payment.bic],
        [texts.reference, payment.reference],
      ]),
      ...(payment.qrCode ? [drawn(payment.qrCode)] : []),
    );
  }
  if (found.lines) parts.push(...offered(found));
  show(revision > 1 ? `${kind}, ${fill(texts.version, { revision })}` : kind, ...parts);
}

// Black on white in any scheme: many apps read no code that is light on dark.
function drawn({ size, path }) {
  const draw = (name, about) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(about)) node.setAttribute(attribute, value);
    return node;
  };
  const side = 4 * size; // pixels
  const code = draw("svg", { viewBox: `0 0 ${size} ${size}`, width: side, height: side, role: "img" });
  code.setAttribute("shape-rendering", "crispEdges");
  code.setAttribute("aria-label", texts.code);
  code.append(draw("path", { d: `M0 0h${size}v${size}h-${size}z`, fill: "#fff" }), draw("path", { d: path }));
  const figure = make("figure");
  figure.append(code, make("figcaption", texts.scan, { className: "soft" }));
  return figure;
}

function downloads(forms) {
  const buttons = make("div");
  for (const form of forms) {
    const button = make("button", texts[`form.${form}`] ?? form, { className: form === "pdf" ? "main" : "" });
    button.addEventListener("click", () => download(form, button));
    buttons.append(button);
  }
  return buttons;
}

// The lines of a quote, their total, and the form of an answer.
function offered(found) {
  const totals = make("div");
  const chosen = () => [...main.querySelectorAll("[name]:checked")].map(({ value }) => value).filter(Boolean);
  const accept = make("button", "", { className: "main" });
  let asked = 0;
  const total = (now) => {
    const amount = (text) => money(text, now.currency);
    totals.replaceChildren(
      facts([
        [texts.netTotal, amount(now.netTotal)],
        [texts.taxTotal, Number(now.taxTotal) ? amount(now.taxTotal) : null],
        [texts.total, amount(now.total), true],
      ]),
    );
    accept.textContent = fill(texts.acceptFor, { total: amount(now.total) });
  };
  const again = async () => {
    const mine = ++asked;
    accept.disabled = true;
    try {
      const answer = await ask("view", { chosenLineIds: chosen() });
      if (mine !== asked) return;
      if (!answer.ok) return await refused(answer);
      total((await answer.json()).data);
      accept.disabled = false;
    } catch {
      show(texts.nothing, make("p", texts.offline));
    }
  };
  const list = make("div", "", { className: "lines" });
  list.append(...found.lines.filter(isHead(found)).map((line) => entry(found, line)));
  list.addEventListener("change", again);
  total(found);
  const notes = found.pricesIncludeTax ? [make("p", texts.includeTax, { className: "soft" })] : [];
  const answers = found.can.length ? [answering(found, accept, chosen)] : [];
  return [make("h2", texts.lines), list, totals, ...notes, ...answers];
}

// Where the receiver can choose, an alternative stands with the line that it would replace.
const isHead = ({ can }) => ({ option }) => !can.includes("accept") || option !== "alternative";

function entry(found, line) {
  if (!found.can.includes("accept")) return told(found, line, [noteOf(found, line)]);
  const others = found.lines.filter(({ alternativeTo }) => alternativeTo === line.position);
  if (line.option === "optional") return choice(found, line, "checkbox", `option-${line.position}`, line.id);
  if (!others.length) return told(found, line);
  const group = make("fieldset");
  const name = `item-${line.position}`;
  const own = choice(found, line, "radio", name, "");
  own.querySelector("input").checked = true;
  group.append(
    make("legend", fill(texts.item, { position: line.position })),
    own,
    ...others.map((other) => choice(found, other, "radio", name, other.id)),
  );
  return group;
}

function noteOf({ state }, line) {
  const isAnswered = ["accepted", "closed"].includes(state);
  const answer = isAnswered && (line.isAccepted ? line.option !== "included" && texts.chosen : texts.notChosen);
  const about = line.option === "alternative"
    ? fill(texts.alternative, { position: line.alternativeTo })
    : line.option === "optional" && (isAnswered ? texts.option : texts.optional);
  return [about, answer].filter(Boolean).join(" · ");
}

function choice(found, line, type, name, value) {
  const label = make("label", "", { className: "choice" });
  label.append(
    make("input", "", { type, name, value }),
    told(found, line, [type === "checkbox" ? texts.option : ""], "span"),
  );
  return label;
}

// What a line offers, how much of it, and what it costs.
function told({ currency }, line, notes = [], tag = "div") {
  const quantity = [number(line.quantity), line.unit].filter(Boolean).join(" ");
  const price = fill(texts.price, { quantity, price: money(line.unitPrice, currency, 6) });
  const per = line.priceBaseQuantity === "1" ? "" : fill(texts.perUnits, { quantity: number(line.priceBaseQuantity) });
  const about = make("span");
  about.append(
    make("span", `${line.position}. ${line.description}`, { className: "what" }),
    ...[[price, per].filter(Boolean).join(" "), ...notes].filter(Boolean).map((text) =>
      make("span", text, { className: "soft" })
    ),
  );
  const row = make(tag, "", { className: "line" });
  row.append(about, make("span", money(line.net, currency), { className: "figure" }));
  return row;
}

// The yes with a name and a note; the no asks for a reason first.
function answering(found, accept, chosen) {
  const part = make("section");
  const yes = (typed = "") => {
    const form = asking(found, "accept", chosen, typed, [accept, pressed(texts.declineIt, () => no(form.typed()))]);
    part.replaceChildren(make("h2", texts.answer), make("p", texts.word), form.node);
    if (typed) form.focus();
  };
  const no = (typed = "", isFirst = false) => {
    const back = isFirst ? [] : [pressed(texts.back, () => yes(form.typed()))];
    const form = asking(found, "decline", chosen, typed, [
      make("button", texts.decline, { className: "main" }),
      ...back,
    ]);
    part.replaceChildren(make("h2", texts.decline), form.node);
    if (!isFirst) form.focus();
  };
  if (found.can.includes("accept")) yes();
  else no("", true);
  return part;
}

function pressed(text, act) {
  const button = make("button", text, { type: "button" });
  button.addEventListener("click", act);
  return button;
}

function asking(found, verb, chosen, typed, buttons) {
  const isYes = verb === "accept";
  const name = make("input", "", { id: "name", autocomplete: "name", required: true, minLength: 2, maxLength: 200 });
  const more = make(isYes ? "textarea" : "input", "", { id: "more", maxLength: isYes ? 4000 : 200 });
  const problem = make("p", "", { className: "bad", id: "problem" });
  const row = make("div");
  const form = make("form", "", { className: "answer" });
  name.value = typed;
  row.append(...buttons);
  form.append(make("label", texts.name, { htmlFor: "name" }), name);
  form.append(make("label", isYes ? texts.note : texts.reason, { htmlFor: "more" }), more, problem, row);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    for (const button of buttons) button.disabled = true;
    try {
      const about = more.value ? { [isYes ? "note" : "reason"]: more.value } : {};
      const choice = isYes ? { chosenLineIds: chosen() } : {};
      const answer = await ask(verb, { revision: found.revision, name: name.value, ...about, ...choice });
      if (answer.ok) {
        const thanks = make("p", isYes ? texts.accepted : texts.declined, { className: "good" });
        return shown((await answer.json()).data, thanks);
      }
      if (answer.status === 409) {
        return await open(make("p", (await answer.json()).error.message, { className: "bad" }));
      }
      if (answer.status !== 422) return await refused(answer);
      const { message, details } = (await answer.json()).error;
      problem.textContent = details?.[0]?.message ?? message;
      name.setAttribute("aria-describedby", "problem");
      name.focus();
    } catch {
      problem.textContent = texts.offline;
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  });
  return { node: form, typed: () => name.value, focus: () => name.focus() };
}

async function open(said = null) {
  try {
    const answer = await ask("view");
    if (!answer.ok) return await refused(answer);
    shown((await answer.json()).data, said);
  } catch {
    show(texts.nothing, make("p", texts.offline));
  }
}

addEventListener("hashchange", () => location.reload());
open();
