// A month of time becomes an issued and paid invoice, by a client with the types that openapi-typescript makes.

import createClient from "openapi-fetch";
import type { components, paths } from "./erp.d.ts";

const [baseUrl, email, password] = Deno.args;
const headers: Record<string, string> = {};
const office = createClient<paths, "application/json">({ baseUrl, headers });

type Refused = components["schemas"]["ErrorAnswer"];

function done<Answer extends { data: unknown }>({ data, error }: { data?: Answer; error?: Refused }): Answer["data"] {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data.data;
}

const entered = done(await office.POST("/api/v1/auth/sign-in/email", { body: { email, password } }));
office.use({
  onRequest({ request }) {
    request.headers.set("Authorization", `Bearer ${entered.session.token}`);
  },
});

const workspace = done(await office.POST("/api/v1/workspace", { body: { name: "Acme", baseCurrency: "EUR" } }));
done(await office.POST("/api/v1/auth/select-workspace", { body: { workspaceId: workspace.id } }));
const customer = done(await office.POST("/api/v1/finance/contacts", { body: { kind: "customer", name: "Globex" } }));
const project = done(
  await office.POST("/api/v1/projects", {
    body: { name: "Web", customerId: customer.id, billing: "hourly", hourlyRate: "90.00" },
  }),
);
const task = done(await office.POST("/api/v1/tasks", { body: { title: "Pages", projectId: project.id } }));
for (const date of ["2026-02-02", "2026-02-16", "2026-02-27"]) {
  const params = { path: { id: task.id } };
  done(await office.POST("/api/v1/tasks/{id}/time-logs", { params, body: { date, minutes: 90 } }));
}

const month = { projectId: project.id, dateFrom: "2026-02-01", dateTo: "2026-02-28" };
const looked = done(await office.POST("/api/v1/finance/invoices/from-time-logs", { body: { ...month, dryRun: true } }));
const draft = done(await office.POST("/api/v1/finance/invoices/from-time-logs", { body: month }));
const params = { path: { id: draft.id } };
const rehearsed = done(await office.POST("/api/v1/finance/invoices/{id}/issue", { params, body: { dryRun: true } }));
const issued = done(await office.POST("/api/v1/finance/invoices/{id}/issue", { params }));
if (!("id" in issued) || "id" in rehearsed) throw new Error("an invoice has an id, and a preview has none");

const paid = done(
  await office.POST("/api/v1/finance/payments", { body: { invoiceId: issued.id, amount: issued.amountDue } }),
);
const listed = done(await office.GET("/api/v1/finance/invoices", { params: { query: { status: ["paid"] } } }));
const found: components["schemas"]["InvoiceSummary"][] = listed.filter((one) => "id" in one); // not a CSV, and no sums
const { data: table } = await createClient<paths, "text/csv">({ baseUrl }).GET("/api/v1/finance/invoices", {
  params: { query: { format: "csv" } },
  headers: { Authorization: `Bearer ${entered.session.token}` },
  parseAs: "text",
});
const text: string | undefined = table;
console.log(
  JSON.stringify({
    totals: [looked.total, draft.total, rehearsed.total, issued.total, paid.amount],
    statuses: found.map(({ status }) => status),
    columns: text?.split(",").includes("number"),
  }),
);
