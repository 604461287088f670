// What the page keeps of the server's answers, with a server that answers when it is told to.
import { changed, firstPage, list, resource } from "../../../erp/frontend/core/store.js";
import { effect, scope } from "../../../erp/frontend/core/view.js";

async function until(isSo) {
  while (!isSo()) await new Promise((done) => setTimeout(done));
}

async function served(work) {
  const real = globalThis.fetch;
  const asked = [];
  globalThis.fetch = (path) => new Promise((done) => asked.push({ path: String(path), answer: (body) => done(body) }));
  try {
    await work(asked);
  } finally {
    globalThis.fetch = real;
  }
}

const pageOf = (ids, nextCursor = null) =>
  Response.json({ success: true, data: ids.map((id) => ({ id })), page: { nextCursor } });

Deno.test("a list that changes while it is read on is read again", async () => {
  await served(async (asked) => {
    const things = scope(() => {
      const found = list("/things");
      effect(() => void found.items);
      return found;
    });
    asked[0].answer(pageOf([1, 2], "next"));
    await until(() => things.value.hasMore);
    const reading = things.value.more();
    await until(() => asked.length === 2);
    changed("/things");
    asked[1].answer(pageOf([3]));
    await reading;
    const paths = asked.map(({ path }) => path.replace("/api/v1/things?limit=200", ""));
    if (paths.join(" ") !== " &cursor=next ") throw new Error(`asked for ${JSON.stringify(paths)}`);
    things.drop();
  });
});

Deno.test("what shows a whole list reads every page of it", async () => {
  await served(async (asked) => {
    const things = scope(() => {
      const found = resource("/choices?limit=2");
      effect(() => void found.value);
      return found;
    });
    asked[0].answer(pageOf([1, 2], "a"));
    await until(() => asked.length === 2);
    asked[1].answer(pageOf([3, 4], "b"));
    await until(() => asked.length === 3);
    if (things.value.value !== undefined) throw new Error("it shows a part");
    asked[2].answer(pageOf([5]));
    const ids = (await things.value.known()).map(({ id }) => id);
    const paths = asked.map(({ path }) => path.replace("/api/v1/choices", ""));
    if (paths.join(" ") !== "?limit=2 ?limit=2&cursor=a ?limit=2&cursor=b") throw new Error(paths.join(" "));
    if (ids.join() !== "1,2,3,4,5") throw new Error(`it has ${ids}`);
    things.drop();
  });
});

Deno.test("the first page of a list is read in one request", async () => {
  await served(async (asked) => {
    const newest = scope(() => {
      const found = firstPage("/newest?limit=1");
      effect(() => void found.value);
      return found;
    });
    asked[0].answer(pageOf([1], "a"));
    await until(() => newest.value.value);
    if (asked.length !== 1 || newest.value.value.length !== 1) throw new Error(`asked ${asked.length} times`);
    newest.drop();
  });
});

Deno.test("a list and a single answer of one address keep their own shapes", async () => {
  await served(async (asked) => {
    const shown = scope(() => {
      const [all, plain] = [list("/others?limit=5"), resource("/others?limit=5")];
      effect(() => void [all.items, plain.value]);
      return { all, plain };
    });
    if (asked.length !== 2) throw new Error(`asked ${asked.length} times`);
    asked.forEach(({ answer }) => answer(pageOf([1, 2])));
    const { all, plain } = shown.value;
    await until(() => all.items && plain.value);
    if (!Array.isArray(all.items) || !Array.isArray(plain.value)) throw new Error("one has the shape of the other");
    changed("/others");
    if (asked.length !== 4) throw new Error("both are read again after a change");
    asked.slice(2).forEach(({ answer }) => answer(pageOf([3])));
    await until(() => all.items.length === 1 && plain.value.length === 1);
    shown.drop();
  });
});
