// What people type, in English and in German.
import { speak } from "../../../erp/frontend/core/i18n.js";
import {
  addMonths,
  parseBreak,
  parseDay,
  parseDuration,
  parseMoney,
  parseNumber,
} from "../../../erp/frontend/core/parse.js";

const same = (work, table) => {
  for (const [typed, wanted] of table) {
    if (work(typed) !== wanted) throw new Error(`${typed} is ${work(typed)}, not ${wanted}`);
  }
};
const FRIDAY = "2026-11-20";

Deno.test("numbers are read with either mark, and thousands by the language", async () => {
  await speak("en-GB");
  same(parseNumber, [
    ["1,234.5", "1234.5"],
    ["1.234,5", "1234.5"],
    ["1,234", "1234"],
    ["1.234", "1.234"],
    ["7,5", "7.5"],
    ["-0,50", "-0.50"],
    ["1 234 567,89", "1234567.89"],
    ["1'234.50", "1234.50"],
    [".5", "0.5"],
    ["007", "7"],
    ["0,125", "0.125"],
    ["0,125,000", null],
    ["1.2.3", null],
    ["12,34,56", null],
    ["abc", null],
    ["", null],
    ["1,23,456.7", null],
  ]);
  await speak("de-DE");
  same(parseNumber, [["1.234", "1234"], ["1,234", "1.234"], ["1.234.567", "1234567"], ["0,5", "0.5"], [
    "0.125",
    "0.125",
  ]]);
  await speak("en");
});

Deno.test("an amount may have its currency beside it", () => {
  same(parseMoney, [
    ["12,50 €", "12.50"],
    ["€12.50", "12.50"],
    ["EUR 1,234.50", "1234.50"],
    ["99.90 CHF", "99.90"],
    ["-5 $", "-5"],
    ["12 Euro", null],
    ["€", null],
  ]);
});

Deno.test("a bare number is the minutes of a break, unless it is small", () => {
  same(parseBreak, [
    ["45", 45],
    [" 30 ", 30],
    ["5", 5],
    ["1", 60],
    ["0", 0],
    ["0:45", 45],
    ["1.5", 90],
    ["45m", 45],
    ["x", null],
    ["", null],
  ]);
});

Deno.test("durations are minutes", () => {
  same(parseDuration, [
    ["90m", 90],
    ["1:30", 90],
    ["1.5", 90],
    ["1,5 h", 90],
    ["1h 30m", 90],
    ["8", 480],
    ["0:05", 5],
    ["2std", 120],
    ["1:75", null],
    ["x", null],
    ["1 2", null],
    ["", null],
  ]);
});

Deno.test("a break of some minutes is no break of as many hours", () => {
  same(parseBreak, [
    ["30", 30],
    ["5", 5],
    ["1", 60],
    ["0:45", 45],
    ["1.5", 90],
    ["15m", 15],
    ["", null],
  ]);
});

Deno.test("days are read as people say them", async () => {
  await speak("en-GB");
  same((text) => parseDay(text, FRIDAY), [
    ["+14", "2026-12-04"],
    ["-1", "2026-11-19"],
    ["fr", "2026-11-27"],
    ["mon", "2026-11-23"],
    ["25.11.", "2026-11-25"],
    ["25/11", "2026-11-25"],
    ["3.2.", "2027-02-03"],
    ["31.12.25", "2025-12-31"],
    ["25 nov", "2026-11-25"],
    ["2026-02-30", null],
    ["31.11.", null],
    ["7", "2026-11-07"],
    ["s", null],
    ["2026-2-3", "2026-02-03"],
  ]);
  await speak("de-DE");
  same((text) => parseDay(text, FRIDAY), [["di", "2026-11-24"], ["5. märz", "2027-03-05"], ["fr", "2026-11-27"]]);
  await speak("en-US");
  same((text) => parseDay(text, FRIDAY), [["11/25", "2026-11-25"], ["25.11.", "2026-11-25"], [
    "Dec 5, 2026",
    "2026-12-05",
  ], ["nov 25", "2026-11-25"]]);
  await speak("en");
});

Deno.test("a month later is the last day where there is no such day", () => {
  same((count) => addMonths("2026-01-31", count), [[1, "2026-02-28"], [12, "2027-01-31"], [-2, "2025-11-30"]]);
});
