// What people read, in English and in German.
import { deepEqual as equal } from "node:assert/strict";
import {
  ago,
  day,
  days,
  duration,
  initials,
  moment,
  money,
  number,
  percent,
  setBase,
  setZone,
  size,
  time,
} from "../../../erp/frontend/core/format.js";
import { speak } from "../../../erp/frontend/core/i18n.js";

const same = (work, table) => {
  for (const [typed, wanted] of table) {
    if (work(typed) !== wanted) throw new Error(`${typed} is ${work(typed)}, not ${wanted}`);
  }
};
Deno.test("amounts keep every cent and stand as the language writes them", async () => {
  await speak("de-DE");
  same((text) => money(text, "EUR"), [["1242.24", "1.242,24"], ["90071992547409.93", "90.071.992.547.409,93"], [
    "-0.05",
    "−0,05",
  ]]);
  await speak("en-GB");
  same((text) => money(text, "EUR", { dash: true }), [["0.00", "–"], ["1242.24", "1,242.24"]]);
  same(duration, [[450, "7:30"], [-5, "−0:05"], [0, "0:00"], [6000, "100:00"]]);
  same(initials, [["Mei Takahashi", "MT"], ["Ana Maria da Silva", "AS"], ["Cher", "C"], ["", ""]]);
});

Deno.test("a currency other than the books' stands with its amount, but not in a field", async () => {
  await speak("de-DE");
  const amounts = () => [
    money("1242.24", "USD"),
    money("1242.24", "EUR"),
    money("1242.24", "USD", { withCurrency: false }),
    money("0.00", "USD", { dash: true }),
  ];
  equal(amounts(), ["1.242,24", "1.242,24", "1.242,24", "–"]);
  setBase("EUR");
  equal(amounts(), ["1.242,24\u00a0$", "1.242,24", "1.242,24", "–"]);
  setBase(undefined);
});

Deno.test("numbers, shares and sizes stand as the language writes them", async () => {
  await speak("de-DE");
  equal([number("1234.5"), number("-0.125"), number(null), percent("19")], ["1.234,5", "−0,125", "", "19\u00a0%"]);
  await speak("en-GB");
  equal([number("1234.5"), percent("19.5")], ["1,234.5", "19.5%"]);
  equal([size(0), size(1500), size(2_000_000)], ["0 byte", "1.5 kB", "2 MB"]);
});

Deno.test("a day is the same day in every zone, and an instant is told in the workspace's", async () => {
  await speak("en-GB");
  setZone("Pacific/Auckland");
  equal(day("2024-02-29"), "29 Feb 2024");
  equal(days("2024-02-28", "2024-03-01"), "28 Feb 2024 to 1 Mar 2024");
  equal(days("2024-02-01", "2024-02-29"), "February 2024");
  equal(days("2024-02-01", "2024-03-31"), "1 Feb 2024 to 31 Mar 2024");
  equal([time("2024-02-29T22:30:00Z"), moment("2024-02-29T22:30:00Z")], ["11:30", "1 Mar, 11:30"]);
  setZone(undefined);
});

Deno.test("how long ago something was is told in its largest unit", async () => {
  await speak("en-GB");
  const before = (seconds) => ago(new Date(Date.now() - seconds * 1000).toISOString());
  equal([before(7200), before(86400 * 3), before(120)], ["2 hours ago", "3 days ago", "2 minutes ago"]);
});
