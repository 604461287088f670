// The words of the page in the language of its user.
import { speak, t, tn, withRegion } from "../../../erp/frontend/core/i18n.js";

const same = (work, table) => {
  for (const [typed, wanted] of table) {
    if (work(typed) !== wanted) throw new Error(`${typed} is ${work(typed)}, not ${wanted}`);
  }
};
Deno.test("a language without a region takes the browser's", () => {
  same((tag) => withRegion(tag, ["de-AT", "de", "en-AU", "en-US"]), [["en", "en-AU"], ["de", "de-AT"], [
    "en-GB",
    "en-GB",
  ], ["fr", "fr"]]);
  same((tag) => withRegion(tag, ["de"]), [["en", "en-GB"], ["de", "de"]]);
});

Deno.test("words come from the catalogue with their places, and English where it has none", async () => {
  await speak("de", async () => ({ "Hello {name}": "Hallo {name}", "{n} line": ["{n} Zeile", "{n} Zeilen"] }));
  same(
    (work) => work(),
    [[() => t("Hello {name}", { name: "<b>" }), "Hallo <b>"], [() => t("Other {name}", { name: "x" }), "Other x"], [
      () => tn("{n} line", "{n} lines", 1),
      "1 Zeile",
    ], [() => tn("{n} line", "{n} lines", 1200), "1.200 Zeilen"]].map(([work, wanted]) => [work, wanted]),
  );
  await speak("en");
});
