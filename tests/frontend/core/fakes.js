// A clock that stands until it is moved, and a server that answers what a test says.

// Do the work with timers that run only when `pass(ms)` is called.
export async function withClock(work) {
  const real = { setTimeout, clearTimeout };
  const timers = new Map();
  let [now, count] = [0, 0];
  Object.assign(globalThis, {
    setTimeout: (act, pause = 0) => timers.set(count += 1, { act, at: now + pause }) && count,
    clearTimeout: (id) => void timers.delete(id),
  });
  const pass = async (ms) => {
    now += ms;
    for (const [id, { act, at }] of timers) {
      if (at > now) continue;
      timers.delete(id);
      act();
    }
    await new Promise((done) => real.setTimeout(done));
  };
  try {
    await work(pass);
  } finally {
    Object.assign(globalThis, real);
  }
}

// Do the work with `answers`: a function of a request { verb, path, headers, body } that says { status, ...envelope }.
export async function withServer(answers, work) {
  const real = globalThis.fetch;
  const asked = [];
  globalThis.fetch = (path, { method: verb, headers, body }) => {
    const request = { verb, path, headers: Object.fromEntries(headers), body: body && JSON.parse(body) };
    asked.push(request);
    const { status = 200, ...envelope } = answers(request, asked.length);
    return Promise.resolve(Response.json(envelope, { status }));
  };
  try {
    await work(asked);
  } finally {
    globalThis.fetch = real;
  }
}
