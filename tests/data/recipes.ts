// The recipes of `erp/docs/api.md` with the types that openapi-typescript makes.

import createClient from "openapi-fetch";
import type { components, paths } from "./erp.d.ts";

const [baseUrl, email, password, statement] = Deno.args;
const headers: Record<string, string> = {};
const office = createClient<paths, "application/json">({ baseUrl, headers });

type Refused = components["schemas"]["ErrorAnswer"];

function done<Answer extends { data: unknown }>({ data, error }: { data?: Answer; error?: Refused }): Answer["data"] {
    if (data === undefined) throw new Error(JSON.stringify(error));
    return data.data;
}

const entered = done(await office.POST("/api/v1/auth/sign-in/email", { body: { email, password } }));
const bearer = { Authorization: `Bearer ${entered.session.token}` };
office.use({
    onRequest({ request }) {
        request.headers.set("Authorization", bearer.Authorization);
    },
});
const workspace = done(await office.POST("/api/v1/workspace", { body: { name: "Acme", baseCurrency: "EUR" } }));
done(await office.POST("/api/v1/auth/select-workspace", { body: { workspaceId: workspace.id } }));

async function customer(name: string): Promise<string> {
    return done(await office.POST("/api/v1/finance/contacts", { body: { kind: "customer", name } })).id;
}

// A bank file: the invoice has the first number, INV-2026-00001.
const globex = await customer("Globex");
const line = { description: "Advice", quantity: "1", unitPrice: "100.00", accountId: "4100" };
done(await office.POST("/api/v1/finance/invoices", { body: { customerId: globex, lines: [line] } }));
const read = done(
    await office.POST("/api/v1/finance/bank/statements/import", { body: { file: statement, accountId: "1010" } }),
);
const matched = done(await office.POST("/api/v1/finance/bank/lines/confirm", { body: { accountId: "1010" } }));
const left = done(await office.GET("/api/v1/finance/bank/lines", { params: { query: { status: ["unmatched"] } } }));
const bank = [read.new, matched.moneyIn, left.map(({ party, amount }) => [party, amount])];

// Hours from elsewhere, and a month billed.
for (const [name, code, customerId] of [["Globex", "GLO", globex], ["Initech", "INI", await customer("Initech")]]) {
    const project = done(
        await office.POST("/api/v1/projects", {
            body: { name, code, customerId, billing: "hourly", hourlyRate: "90.00" },
        }),
    );
    done(await office.POST("/api/v1/tasks", { body: { title: "Pages", projectId: project.id } }));
}
const csv = "task,date,hours,note\nGLO-1,2026-02-02,1.5,Sketches\nGLO-1,2026-02-27,1,\nINI-1,2026-02-10,0.5,\n";
const hours: number[][] = [];
for (const dryRun of [true, false]) {
    const stored = done(await office.POST("/api/v1/tasks/time-logs/import", { body: { csv, dryRun } }));
    hours.push([stored.minutes, stored.created]);
}
const drafts: Record<string, string> = {};
const query = { kind: ["customer" as const] };
for (const one of done(await office.GET("/api/v1/finance/contacts", { params: { query } }))) {
    const body = { customerId: one.id, dateFrom: "2026-02-01", dateTo: "2026-02-28" };
    drafts[one.name] = done(await office.POST("/api/v1/finance/invoices/from-time-logs", { body })).netTotal;
}

// An order of a web shop, sent twice.
const order = {
    body: {
        customerId: await customer("Ada Lovelace"),
        pricesIncludeTax: true,
        lines: [
            { description: "Teapot", quantity: "2", unitPrice: "29.75" },
            { description: "Postage", quantity: "1", unitPrice: "5.95" },
        ],
    },
    params: { header: { "Idempotency-Key": "order-4711" } },
};
const first = done(await office.POST("/api/v1/finance/invoices", order));
const again = done(await office.POST("/api/v1/finance/invoices", order));
if (!("id" in first) || !("id" in again)) throw new Error("an invoice has an id, and a preview has none");
const payment = done(
    await office.POST("/api/v1/finance/payments", {
        body: { invoiceId: first.id, amount: first.total, feeAmount: "1.20", method: "card" },
    }),
);
const paper = await office.GET("/api/v1/finance/invoices/{id}/pdf", {
    params: { path: { id: first.id } },
    parseAs: "text",
});

// The month: its findings, a table, its lock.
const days = { dateFrom: "2026-02-01", dateTo: "2026-02-28" };
const month = done(await office.GET("/api/v1/finance/periods/month", { params: { query: { month: "2026-02" } } }));
const { data: table } = await createClient<paths, "text/csv">({ baseUrl }).GET(
    "/api/v1/finance/reports/trial-balance",
    {
        params: { query: { ...days, format: "csv" } },
        headers: bearer,
        parseAs: "text",
    },
);
const text: string | undefined = table;
const locked = done(await office.POST("/api/v1/finance/periods/lock", { body: { throughDate: days.dateTo } }));

// A backup, checked and fetched.
const backup = done(await office.POST("/api/v1/system/backups"));
const path = { name: backup.name };
const checked = done(await office.POST("/api/v1/system/backups/{name}/verify", { params: { path } }));
const fetched = await office.GET("/api/v1/system/backups/{name}", { params: { path }, parseAs: "arrayBuffer" });

console.log(
    JSON.stringify({
        hours,
        drafts,
        bank,
        month: [month.findings, text?.startsWith("\ufeff") || !!text?.includes(","), locked.lockDate],
        order: [first.id === again.id, first.total, payment.unallocatedAmount, String(paper.data).slice(0, 4)],
        backup: [checked.isGood, fetched.data?.byteLength === backup.size],
    }),
);
