// The fields of a record, told once: its form, the request, the facts of its page and the columns of a table that is imported
// are made of one list.
//
// A field is { name, label, kind } with what its control takes, and `start`, the value of a new record; `makeOptions(signals)`
// makes options once there is a control. `parts` are { signals(record), draw(signals), read(signals) } of a value
// with several controls. `told(record)` says a value that is not its own text; without a name it is nothing but a fact,
// with `isFact: false` it is none. With an `example` it is a column too; `meaning` is its text there if not the label,
// and `columns` are the columns of a value with several controls.
import { day } from "../core/format.js";
import { t } from "../core/i18n.js";
import { signal, tags } from "../core/view.js";
import { changesOf } from "./changing.js";
import { checkbox, choice } from "./choice.js";
import { combobox } from "./combobox.js";
import { dateField } from "./date.js";
import { facts } from "./facts.js";
import { field } from "./field.js";
import { textArea, textInput } from "./input.js";
import { moneyInput, numberInput } from "./number.js";

// The facts of a record, those without a value left out.
export const factsOf = (specs, record) =>
  facts(specs.filter(({ isFact = true }) => isFact).map((spec) => [spec.label, toldBy(record, spec)]));

// The columns of a table of such records that is imported; a form's needed fields are needed there too.
export const columnsOf = (specs) =>
  specs.flatMap((spec) =>
    spec.columns?.map((one) => ({ ...one, meaning: one.label })) ??
      (spec.example === undefined ? [] : [{
        name: spec.name,
        example: spec.example,
        meaning: spec.meaning ?? spec.label,
        isNeeded: spec.isNeeded ?? (!spec.isOptional && spec.kind !== "check"),
      }])
  );

function toldBy(record, { name, kind, options, told }) {
  if (told) return told(record);
  const value = record[name];
  if (kind === "check") return value ? t("yes") : t("no");
  if (kind === "day") return day(value);
  if (kind === "email") return value && tags.a({ href: `mailto:${value}` }, value);
  return kind === "choice" ? options.find((one) => one.value === value)?.text : value;
}

/**
 * The fields of a form: the signals of what is typed, for a draft, what is drawn, and what is sent: of a new record what
 * has been filled in, of another what has been changed.
 * @param {any[]} all
 * @param {any} record
 */
export function editable(all, record) {
  const specs = all.filter(({ name }) => name);
  const values = Object.fromEntries(specs.map((spec) => [spec.name, signalsOf(record, spec)]));
  const isShown = ({ isShown: shows }) => !shows || shows(values);
  const read = (spec) => (spec.parts ? spec.parts.read(values[spec.name]) : sent(values[spec.name].value, spec));
  const hidden = (spec) => sent(heldBy(null, spec), spec); // a field that is out of sight is as it is at the start
  const given = () => Object.fromEntries(specs.map((spec) => [spec.name, isShown(spec) ? read(spec) : hidden(spec)]));
  const of = (spec) => (spec.parts ? read(spec) : sent(record[spec.name], spec));
  const before = record && Object.fromEntries(specs.map((spec) => [spec.name, of(spec)]));
  const drawn = (wanted) => specs.filter(wanted).map((spec) => drawnIn(spec, values, isShown));
  return {
    signals: Object.assign(
      {},
      ...specs.map((spec) => spec.parts ? values[spec.name] : { [spec.name]: values[spec.name] }),
    ),
    body: () => (record ? changesOf(given(), before) : filledIn(given())),
    controls: [tags.div({ class: "fields" }, drawn((spec) => !isCheck(spec))), drawn(isCheck)],
  };
}

const isCheck = ({ kind }) => kind === "check";
const filledIn = (body) => Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
const signalsOf = (record, spec) => (spec.parts ? spec.parts.signals(record) : signal(heldBy(record, spec)));

const heldBy = (record, { name, start = "", kind }) =>
  (record ? record[name] : start) ?? (kind === "check" ? false : "");

function sent(value, { kind, ifEmpty = null }) {
  if (kind === "check") return Boolean(value);
  if (value === "" || value === null || value === undefined) return ifEmpty;
  return kind === "whole" && /^\d+$/.test(String(value).trim()) ? Number(value) : value;
}

function drawnIn(spec, values, isShown) {
  const draw = () => (spec.parts ? spec.parts.draw(values[spec.name]) : control(spec, values));
  return spec.isShown ? () => isShown(spec) && draw() : draw();
}

function control(spec, values) {
  const { name, label, kind = "text", hint = null, isOptional = false, isWide = kind === "area", ...about } = spec;
  const value = values[name];
  if (kind === "check") return checkbox({ value, name, text: label, hint });
  const made = {
    text: () => textInput({ value, name, ...about }),
    email: () => textInput({ value, name, type: "email", ...about }),
    area: () => textArea({ value, name, rows: 2, ...about }),
    money: () => moneyInput({ value, name, ...about }),
    number: () => numberInput({ value, name, ...about }),
    whole: () => textInput({ value, name, inputmode: "numeric", ...about }),
    day: () => dateField({ value, name }),
    choice: () =>
      choice({ value, name, empty: isOptional ? t("none") : null, options: about.makeOptions?.(values), ...about }),
    search: () => combobox({ value, name, ...about }),
  };
  return field({ label, name, hint, isOptional, isWide }, made[kind]());
}
