// How a pay component is worked out beyond one amount: its table of brackets, or its rule of overtime.
import { money } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { currency } from "../../core/session.js";
import { effect, signal, tags, untracked } from "../../core/view.js";
import { choice } from "../../ui/choice.js";
import { field } from "../../ui/field.js";
import { lineGrid, lineList } from "../../ui/lines.js";
import { durationInput, moneyInput, numberInput, padded } from "../../ui/number.js";

const blank = () => ({ upTo: "", rate: "", fixed: "" });

export const bracketsField = (component, isShown) => ({
  name: "brackets",
  isShown,
  parts: {
    signals: (component) => ({ rows: signal(component?.brackets ?? []) }),
    draw: ({ rows }) =>
      tags.div({ class: "field is-wide" }, untracked(() => grid(rows, component?.currency ?? currency()))),
    read: ({ rows }) =>
      rows.value.length
        ? rows.value.map(({ upTo, rate, fixed }) => ({ upTo: upTo || null, rate: rate || null, fixed: fixed || null }))
        : null,
  },
});

// Each begins where the one before it ends; the last has no end.
function grid(rows, code) {
  const lines = lineList({
    blank,
    rows: rows.peek().map(({ upTo, rate, fixed }) => ({ upTo: upTo ?? "", rate, fixed: fixed ?? "" })),
  });
  effect(() => void (rows.value = lines.values()));
  const over = (line) => lines.rows.value[line.index() - 1]?.cells.upTo.value || "0";
  return lineGrid({
    label: t("Brackets"),
    name: "brackets",
    lines,
    addText: t("Bracket"),
    columns: [
      {
        key: "over",
        text: t("Over"),
        isFigure: true,
        width: "8rem",
        show: (line) => () => money(padded(over(line), code), code),
      },
      {
        key: "upTo",
        text: t("Up to"),
        isFigure: true,
        control: ({ value, name, label }) => moneyInput({ value, name, label, currency: code }),
      },
      {
        key: "rate",
        text: t("Rate in %"),
        isFigure: true,
        width: "8rem",
        control: ({ value, name, label }) => numberInput({ value, name, label }),
      },
      {
        key: "fixed",
        text: t("Fixed amount"),
        isFigure: true,
        control: ({ value, name, label }) =>
          moneyInput({ value, name, label, currency: code, placeholder: t("the sum so far") }),
      },
    ],
  });
}

// The surcharge in percent, of which the multiplier is 100 more.
const surchargeOf = ({ multiplier }) => String(Number((Number(multiplier) * 100 - 100).toFixed(4)));
const multiplierOf = (surcharge) => String(Number((1 + Number(surcharge) / 100).toFixed(6)));

export const overtimeField = (isShown) => ({
  name: "overtime",
  isShown,
  parts: {
    signals: (component) => ({
      afterMinutes: signal(component?.overtime?.afterMinutes ?? null),
      per: signal(component?.overtime?.per ?? "week"),
      surcharge: signal(component?.overtime ? surchargeOf(component.overtime) : ""),
    }),
    draw: ({ afterMinutes, per, surcharge }) => [
      field(
        { label: t("After hours"), name: "overtime.afterMinutes" },
        durationInput({ value: afterMinutes, name: "overtime.afterMinutes" }),
      ),
      field(
        { label: t("Counted for"), name: "overtime.per" },
        choice({
          value: per,
          name: "overtime.per",
          options: [{ value: "day", text: t("a day") }, { value: "week", text: t("a week") }],
        }),
      ),
      field(
        { label: t("Surcharge"), name: "overtime.multiplier" },
        numberInput({ value: surcharge, name: "overtime.multiplier", unit: "%" }),
      ),
    ],
    read: ({ afterMinutes, per, surcharge }) =>
      isNone(afterMinutes.value) && isNone(surcharge.value) ? null : {
        afterMinutes: isNone(afterMinutes.value) ? null : afterMinutes.value,
        per: per.value,
        multiplier: isNone(surcharge.value) ? null : multiplierOf(surcharge.value),
      },
  },
});

const isNone = (value) => value === null || value === "";
