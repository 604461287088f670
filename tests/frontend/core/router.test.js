// Addresses and what they say. The tests run at /invoices?state=open&q=a.
import { deepEqual as equal } from "node:assert/strict";
import { daysOf } from "../../../erp/frontend/core/periods.js";
import { parameter, parametersOf, path, routeTo } from "../../../erp/frontend/core/router.js";

const found = (pattern, address) => {
  const { matches, names } = routeTo(pattern, "file", { load: () => Promise.resolve({}) });
  const parts = address.match(matches)?.slice(1);
  return parts && Object.fromEntries(names.map((name, at) => [name, parts[at]]));
};

Deno.test("a route matches whole addresses, and takes their parts by name", () => {
  equal(found("/invoices/:id/edit", "/invoices/17/edit"), { id: "17" });
  equal(found("/a/:one/b/:other", "/a/x/b/y"), { one: "x", other: "y" });
  equal(found("/invoices/:id", "/invoices/17/edit"), undefined);
  equal(found("/invoices/:id", "/invoices/"), undefined);
  equal(found("/invoices", "/invoices/17"), undefined);
  equal(found("#invite", "#invite"), {});
  equal(found(".*", "/anything/else"), {});
});

Deno.test("the address says what is shown and how it is filtered", () => {
  equal(path.peek(), "/invoices");
  equal(parametersOf(["state", "q", "sort"]), { state: "open", q: "a", sort: null });
  equal([parameter("state").value, parameter("sort").value, parameter("q").peek()], ["open", "", "a"]);
});

Deno.test("a period by words has the days that it has today", () => {
  equal(daysOf("this_month", "2026-02-14"), ["2026-02-01", "2026-02-28"]);
  equal(daysOf("last_month", "2026-01-31"), ["2025-12-01", "2025-12-31"]);
  equal(daysOf("this_quarter", "2026-11-28"), ["2026-10-01", "2026-12-31"]);
  equal(daysOf("last_quarter", "2026-02-01"), ["2025-10-01", "2025-12-31"]);
  equal(daysOf("this_year", "2024-02-29"), ["2024-01-01", "2024-12-31"]);
  equal(daysOf("last_year", "2024-02-29"), ["2023-01-01", "2023-12-31"]);
  equal([daysOf("next_year"), daysOf(null)], [null, null]);
});
