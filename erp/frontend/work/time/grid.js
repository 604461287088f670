// A week of time as a grid: figures are typed into its cells, Tab goes across, Enter and arrows go down.
import { duration } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { keyOf } from "../../core/keys.js";
import { notify } from "../../core/notices.js";
import { parseDuration } from "../../core/parse.js";
import { computed, each, effect, tags, untracked } from "../../core/view.js";

const { table, tbody, td, tfoot, th, thead, tr } = tags;

export function weekGrid(about) {
  const { label, days, rows, foot = null } = about;
  const element = table(
    { class: "week", "aria-label": label, onkeydown: (event) => onKey(event, about, element) },
    thead(
      tr(
        th({ scope: "col", class: "week-title" }, about.titleText ?? t("Task")),
        () => days().map((day) => dayHead(day)),
        th({ scope: "col", class: "is-figure" }, t("Sum")),
      ),
    ),
    tbody(each(rows, ({ key }) => key, (get) => weekRow(about, get))),
    tfoot(
      tr(
        th({ scope: "row", class: "week-title" }, t("Sum")),
        () => days().map((day) => td({ class: "is-figure" }, () => about.sumOfDay(day))),
        td({ class: "is-figure strong" }, about.sum ?? null),
      ),
    ),
  );
  const box = tags.div({ class: "week-box", tabindex: "0", role: "group", "aria-label": label }, element, foot);
  const isFilled = computed(() => rows().length > 0); // its rows make the column of titles as wide as it stays
  effect(() => {
    if (isFilled.value && days().some(({ isToday }) => isToday)) requestAnimationFrame(() => showToday(box));
  });
  return box;
}

// On a phone the days scroll sideways, beside the tasks.
function showToday(box) {
  const [title, today] = [".week-title", ".is-today"].map((name) => box.querySelector(`thead ${name}`));
  if (today) box.scrollLeft = today.offsetLeft - title.offsetWidth - today.offsetWidth;
}

const dayHead = (day) =>
  th(
    { scope: "col", class: `is-figure${day.isOff ? " is-weekend" : ""}${day.isToday ? " is-today" : ""}` },
    tags.span(day.text),
    day.note && tags.span({ class: "week-note" }, day.note),
  );

function weekRow(about, get) {
  const title = () => {
    const { title: words, href, more } = get.value;
    return [href ? tags.a({ href }, words) : words, more && tags.span({ class: "week-more" }, more)];
  };
  return tr(
    { "data-week-row": String(get.peek().key) },
    th({ scope: "row", class: "week-title" }, title),
    () =>
      about.days().map((day) =>
        td({ class: `is-figure week-cell${day.isOff ? " is-weekend" : ""}` }, cellOf(about, get, day))
      ),
    td({ class: "is-figure strong" }, () => about.sumOfRow(get.value)),
  );
}

// A cell of several logs, or one on an invoice, opens instead of being typed in.
function cellOf(about, get, day) {
  const seen = computed(() => JSON.stringify(about.cell(get.value, day) ?? {})); // drawn again only if it has changed
  const isFixed = computed(() => Boolean(JSON.parse(seen.value).isFixed));
  const cell = () => JSON.parse(seen.value);
  const name = () => t("{row}, {day}", { row: get.value.name ?? get.value.title, day: day.name ?? day.text });
  const parts = { about, get, day, cell, name };
  return () => (isFixed.value ? untracked(() => fixedCell(parts)) : untracked(() => typedCell(parts)));
}

const shownOf = ({ minutes }) => (minutes ? duration(minutes) : "");
const lookOf = ({ note, kind }) => `week-input${note ? " has-note" : ""}${kind ? ` is-${kind}` : ""}`;

const fixedCell = ({ about, get, day, cell, name }) =>
  tags.button(
    {
      type: "button",
      class: () => `${lookOf(cell())} is-fixed`,
      "aria-label": () => `${name()}: ${cell().text ?? shownOf(cell())}`,
      title: () => cell().note,
      "data-day": day.iso,
      onclick: () => about.open?.(get.peek(), day),
    },
    () => cell().text ?? shownOf(cell()),
  );

function typedCell({ about, get, day, cell, name }) {
  const keep = () => save(about, get.peek(), day, input, shownOf(cell()));
  const input = tags.input({
    class: () => lookOf(cell()),
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: "–",
    "aria-label": name,
    "aria-invalid": () => (cell().problem ? "true" : null),
    title: () => cell().problem ?? cell().note,
    "data-day": day.iso,
    value: () => shownOf(cell()),
    onfocus: () => input.select(),
    onchange: keep,
    onblur: () => "unsent" in input.dataset && keep(), // it is no change to the browser
  });
  return input;
}

async function save(about, row, day, input, before) {
  const text = input.value.trim();
  const minutes = text === "" || text === "–" ? 0 : parseDuration(text);
  if (minutes === null) return wrong(input, t("Not a duration. For example 1:30, 1.5 or 90m."));
  input.removeAttribute("aria-invalid");
  delete input.dataset.unsent;
  input.value = minutes ? duration(minutes) : "";
  if (input.value === before) return undefined;
  try {
    return await about.save(row, day, minutes);
  } catch (refusal) {
    input.dataset.unsent = "";
    return wrong(input, refusal.reason);
  }
}

function wrong(input, message) {
  input.setAttribute("aria-invalid", "true");
  input.title = message;
  notify(message, { kind: "bad" });
}

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], Enter: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function onKey(event, about, element) {
  const control = event.target.closest("[data-day]");
  if (!control || event.altKey || event.ctrlKey || event.metaKey) return;
  if (keyOf(event) === "'" && about.note) return void openNote(event, about, control);
  const move = MOVES[keyOf(event)];
  if (!move || (keyOf(event) === "Enter" && control.matches("button")) || (move[1] && !isAtEnd(control, move[1]))) {
    return;
  }
  event.preventDefault();
  beside(element, control, move)?.focus();
}

// Left and right leave a cell only from the end of its text.
function isAtEnd(control, by) {
  if (!control.matches("input")) return true;
  const isAll = control.selectionStart === 0 && control.selectionEnd === control.value.length;
  return isAll || (by < 0 ? control.selectionEnd === 0 : control.selectionStart === control.value.length);
}

function beside(element, control, [down, across]) {
  const rows = [...element.querySelectorAll("[data-week-row]")];
  const at = rows.indexOf(control.closest("[data-week-row]"));
  const cells = [...rows[at].querySelectorAll("[data-day]")];
  const next = rows[at + down]?.querySelectorAll("[data-day]");
  return next?.[cells.indexOf(control) + across];
}

function openNote(event, about, control) {
  event.preventDefault();
  const key = control.closest("[data-week-row]").dataset.weekRow;
  const row = about.rows().find((one) => String(one.key) === key);
  const day = about.days().find(({ iso }) => iso === control.dataset.day);
  about.note(row, day, control);
}
