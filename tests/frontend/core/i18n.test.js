// The words of the page in the language of its user.
import { learn, speak, t, tn, withRegion } from "../../../erp/frontend/core/i18n.js";

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

Deno.test("a screen's words are asked for once, and again if they could not be had", async () => {
  const asked = [];
  let isDown = true;
  const words = { "": { Save: "Speichern" }, "time/week": { Week: "Woche" } };
  await speak("de-DE", (base, screen) => {
    asked.push(`${base}/${screen}`);
    return screen && isDown ? Promise.reject(new Error("gone")) : Promise.resolve(words[screen]);
  });
  await learn("time/week");
  same(t, [["Save", "Speichern"], ["Week", "Week"]]);
  isDown = false;
  await learn("time/week");
  await learn("time/week");
  same(t, [["Save", "Speichern"], ["Week", "Woche"]]);
  if (asked.join(" ") !== "de/ de/time/week de/time/week") throw new Error(asked.join(" "));
  await speak("en");
  same(t, [["Week", "Week"]]);
});
