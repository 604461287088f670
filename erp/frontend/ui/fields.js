// The fields of a record, told once: its form, the request, the facts of its page and the columns of a table that is imported
// are made of one list.
//
// A field is { name, label, kind } with what its control takes.
// - `start` is the value of a new record, or `begin()` the signal of it.
// - `makeOptions(signals)` makes options once there is a control; `control(value)` makes a control of no usual kind; `parts`
//   are { signals(record), draw(signals), read(signals) } of a value with several controls; `draw(value)` draws one whole.
// - Only people with the `right` fill it in. One that `isShown(signals)` hides is sent as at the start, or with `isKept` stays
//   as it is in the record.
// - `words(value, record)` says a value that is not its own text, `told(record)` if only as a fact. Without a name it is
//   nothing but a fact; with `isFact: false` it is none.
// - With an `example` it is a column too; `meaning` is its text there if not the label, and `columns` are the columns that have
//   another name.
import { day, duration } from "../core/format.js";
import { t } from "../core/i18n.js";
import { may } from "../core/session.js";
import { batch, signal, tags } from "../core/view.js";
import { changesOf } from "./changing.js";
import { checkbox, choice } from "./choice.js";
import { combobox } from "./combobox.js";
import { dateField } from "./date.js";
import { facts } from "./facts.js";
import { field } from "./field.js";
import { textArea, textInput } from "./input.js";
import { durationInput, moneyInput, numberInput } from "./number.js";

// The facts of a record, those without a value left out.
export const factsOf = (specs, record) =>
  facts(specs.filter(({ isFact = true }) => isFact).map((spec) => [spec.label, toldBy(record, spec)]));

// The columns of a table of such records that is imported; a form's needed fields are needed there too.
export const columnsOf = (specs) =>
  specs.filter(isMine).flatMap((spec) =>
    spec.columns?.map((one) => ({ ...one, meaning: one.label })) ??
      (spec.example === undefined ? [] : [{
        name: spec.name,
        example: spec.example,
        meaning: spec.meaning ?? spec.label,
        isNeeded: spec.isNeeded ?? (!spec.isOptional && spec.kind !== "check"),
      }])
  );

const isMine = ({ right }) => !right || may(right);

// The words of values whose text is another one.
/** @type {Record<string, (value: any, record?: any) => any>} */
const WORDS = { day, duration };

function toldBy(record, { name, kind, options, told, words = WORDS[kind] }) {
  if (told) return told(record);
  const value = record[name];
  if (words) return words(value, record);
  if (kind === "check") return value ? t("yes") : t("no");
  if (kind === "email") return value && tags.a({ href: `mailto:${value}` }, value);
  return kind === "choice" ? options.find((one) => one.value === value)?.text : value;
}

/**
 * The fields of a form: the signals of what is typed, for a draft, what is drawn, and what is sent: of a new record what
 * has been filled in, of another what has been changed. `told(values)` are the words of values that two have changed.
 * @param {any[]} all
 * @param {any} record
 */
export function editable(all, record) {
  const specs = all.filter((spec) => spec.name && isMine(spec));
  const values = Object.fromEntries(specs.map((spec) => [spec.name, signalsOf(record, spec)]));
  const byName = (of) => Object.fromEntries(specs.map((spec) => [spec.name, of(spec)]));
  const isShown = ({ isShown: shows }) => !shows || shows(values);
  const read = (spec) => (spec.parts ? spec.parts.read(values[spec.name]) : sent(values[spec.name].value, spec));
  const held = (now) =>
    byName((spec) => spec.parts ? spec.parts.read(signalsOf(now, spec)) : sent(now[spec.name], spec));
  let before = record && held(record);
  const hidden = (spec) => (before && spec.isKept ? before[spec.name] : sent(heldBy(null, spec), spec));
  const given = () => byName((spec) => (isShown(spec) ? read(spec) : hidden(spec)));
  const changes = () => changesOf(given(), before);
  const take = (now, body = {}) => {
    const typed = changesOf(given(), { ...before, ...body });
    before = held(now);
    for (const spec of specs.filter(({ name }) => !(name in typed))) {
      const fresh = Object.entries(signalsIn(spec, signalsOf(now, spec)));
      fresh.forEach(([name, one]) => void (signalsIn(spec, values[spec.name])[name].value = one.peek()));
    }
  };
  const signalsAmong = (names) =>
    Object.assign({}, ...specs.filter(({ name }) => name in names).map((spec) => signalsIn(spec, values[spec.name])));
  const drawn = (wanted) => specs.filter(wanted).map((spec) => drawnIn(spec, values, isShown));
  return {
    signals: signalsAmong(values),
    body: () => (record ? changes() : filledIn(given())),
    all: () => filledIn(given()), // as of a new record
    told: (one) => byName(({ name, kind, words = WORDS[kind] }) => (name in one ? words?.(one[name], one) : undefined)),
    typed: () => signalsAmong(changes()), // the signals of what has been changed
    // Follow the record, whose `body` has been sent; what else has been typed stays.
    take: (now, body) => batch(() => take(now, body)),
    // The controls of some fields, which may be shown without the others.
    controlsOf: (names) => {
      const isAmong = ({ name }) => names.includes(name);
      return controls(
        drawn((spec) => isAmong(spec) && !isCheck(spec)),
        drawn((spec) => isAmong(spec) && isCheck(spec)),
      );
    },
    get controls() {
      return controls(drawn((spec) => !isCheck(spec)), drawn(isCheck));
    },
  };
}

const controls = (others, checks) => [others.length > 0 && tags.div({ class: "fields" }, others), checks];
const signalsIn = ({ name, parts }, held) => (parts ? held : { [name]: held });
const isCheck = ({ kind }) => kind === "check";
const filledIn = (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));

function signalsOf(record, spec) {
  if (spec.parts) return spec.parts.signals(record);
  return !record && spec.begin ? spec.begin() : signal(heldBy(record, spec));
}

const heldBy = (record, { name, start = "", kind }) =>
  (record ? record[name] : start) ?? (kind === "check" ? false : "");

function sent(value, { kind, ifEmpty = null }) {
  if (kind === "check") return Boolean(value);
  if (value === "" || value === null || value === undefined) return ifEmpty;
  return kind === "whole" && /^\d+$/.test(String(value).trim()) ? Number(value) : value;
}

function drawnIn(spec, values, isShown) {
  const own = spec.parts?.draw ?? spec.draw;
  const draw = () => (own ? own(values[spec.name]) : control(spec, values));
  return spec.isShown ? () => isShown(spec) && draw() : draw();
}

function control(spec, values) {
  const { name, label, kind = "text", hint = null, isOptional = false, note, isWide = kind === "area", ...about } =
    spec;
  const value = values[name];
  if (kind === "check") return checkbox({ value, name, text: label, hint });
  if (spec.control) return field({ label, name, hint, isOptional, note, isWide }, spec.control(value));
  const made = {
    text: () => textInput({ value, name, ...about }),
    email: () => textInput({ value, name, type: "email", ...about }),
    area: () => textArea({ value, name, rows: 2, ...about }),
    money: () => moneyInput({ value, name, ...about }),
    number: () => numberInput({ value, name, ...about }),
    duration: () => durationInput({ value, name }),
    whole: () => textInput({ value, name, inputmode: "numeric", ...about }),
    day: () => dateField({ value, name }),
    choice: () =>
      choice({ value, name, empty: isOptional ? t("none") : null, options: about.makeOptions?.(values), ...about }),
    search: () => combobox({ value, name, isOptional, ...about }),
  };
  return field({ label, name, hint, isOptional, note, isWide }, made[kind]());
}
