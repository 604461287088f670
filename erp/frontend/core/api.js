// The only file that talks to the server: sends requests, and unwraps data or a refusal from the envelope.
import { language, t } from "./i18n.js";
import { signal } from "./signals.js";

const PREFIX = "/api/v1";
const REPEATS = [400, 1200, 3000]; // ms after which a busy server is asked again

let userId = null;
let workspaceId = null;
let signInAgain = null;
let meetOther = () => {};
let timesSignedIn = 0;
// What the page has asked before its scripts were there, by path; each is taken once.
/** @type {Record<string, Promise<Response | null>>} */
let early = /** @type {any} */ (globalThis).early ?? {};
let aheadBy = 0; // ms by which the server's clock is ahead, as its last answer said

// Every request of this tab names its user and its workspace, even after another tab has signed in or selected others.
export const actAs = (id) => void (userId = id);
export const actIn = (id) => void (workspaceId = id);

// What to do when a request is refused since someone else has signed in in this browser.
export const onOtherUser = (act) => void (meetOther = act);

// What to do when a request is refused for want of a session: answers, at once or later, whether to send it again.
// It is told whether the page sent the request by itself (`isByItself`), not because of what the user did.
export const onSignedOut = (act) => void (signInAgain = act);

// The page has started: from now on each question is asked when it comes up.
export const forgetEarly = () => void (early = {});

function takeEarly(path) {
  const answer = early[path];
  delete early[path];
  return answer;
}

export class Refusal extends Error {
  constructor({ code = "", status = 0, message, details = [], requestId = null }) {
    super(message);
    // Of invalid fields the message only says that they are marked: the reason is for where no form marks them.
    const complaints = status === 422 ? details.flatMap(({ message: said }) => said ?? []) : [];
    const reason = [...new Set(complaints)].join(" ") || message;
    Object.assign(this, { code, status, details, requestId, reason });
  }
}

export const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) => one.toString(16).padStart(2, "0")).join("");

// The time by the server's clock, which the clock of a tablet may not follow.
export const serverTime = () => Date.now() + aheadBy;

// With a `token` no one is signed in: it alone says who asks. `workspace` is another one than this tab's. `patience` is
// the time to wait for the answer, in ms.
async function fetched(verb, path, options) {
  const { body, version, key, keepalive, type, token, workspace = workspaceId, patience } = options;
  const headers = new Headers({ "Accept-Language": language() });
  const isFile = body instanceof Blob; // what it is, the server reads in it, unless `type` says so
  const usual = isFile ? "application/octet-stream" : "application/json";
  if (body !== undefined) headers.set("Content-Type", type ?? usual);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  else if (!path.startsWith("/auth/")) {
    if (userId) headers.set("x-user-id", userId);
    if (workspace) headers.set("x-workspace-id", workspace);
  }
  if (version) headers.set("If-Match", `"${version}"`);
  if (key) headers.set("Idempotency-Key", key);
  try {
    const early = verb === "GET" && takeEarly(path);
    const first = early && (await early);
    if (first) return first;
    const answer = await fetch(PREFIX + path, {
      method: verb,
      headers,
      credentials: token ? "omit" : "same-origin",
      body: body === undefined || isFile ? body : JSON.stringify(body),
      keepalive,
      signal: patience ? AbortSignal.timeout(patience) : null,
    });
    aheadBy = (Date.parse(answer.headers.get("Date") ?? "") || Date.now()) - Date.now();
    return answer;
  } catch {
    throw new Refusal({ code: "no_answer", message: t("The server does not answer. What you type is kept.") });
  }
}

async function answered(verb, path, options) {
  for (const pause of [...REPEATS, null]) {
    const before = timesSignedIn;
    const answer = await fetched(verb, path, options);
    if (answer.status === 401 && signInAgain && !options.token && !path.startsWith("/auth/")) {
      const isLate = before !== timesSignedIn; // it was sent before the user signed in again
      if (!isLate && !(await signInAgain(options))) return answer;
      timesSignedIn += 1;
      return answered(verb, path, options);
    }
    if (answer.status !== 503 || pause === null) return answer;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function call(verb, path, options = {}) {
  const answer = await answered(verb, path, options);
  const envelope = await answer.json().catch(() => ({}));
  if (envelope.success) return envelope;
  if (envelope.error?.code === "other_user") meetOther();
  throw new Refusal(
    envelope.error ??
      {
        status: answer.status,
        message: t("The server failed ({status}). Try again in a moment.", { status: answer.status }),
      },
  );
}

export const get = async (path, options = {}) => (await call("GET", path, options)).data;

// How many changes that the user has asked for are under way.
export const changing = signal(0);

// Change something. `version` is the record's when it was read; with `key` a repeat makes nothing twice.
export async function send(verb, path, body, options = {}) {
  const count = (by) => void (options.isByItself || (changing.value = changing.peek() + by));
  count(1);
  try {
    return (await call(verb, path, { body, ...options })).data;
  } finally {
    count(-1);
  }
}

async function fileAt(path, body) {
  const answer = await answered(body ? "POST" : "GET", path, { body });
  if (answer.ok) return answer;
  throw new Refusal(
    (await answer.json().catch(() => ({}))).error ??
      {
        status: answer.status,
        message: t("The server failed ({status}). Try again in a moment.", { status: answer.status }),
      },
  );
}

// Where a page can show for a moment the file that the server makes of `body`, in a frame.
export async function addressOfFile(path, body) {
  const answer = await answered("POST", path, { body, isByItself: true });
  await answer.body?.cancel();
  return answer.ok ? answer.headers.get("Content-Location") : null;
}

// What is in a file of the server, such as an image.
export const content = async (path) => (await fileAt(path)).blob();

// Save a file that the server makes, of a body if there is one, under `name` or the one it has there; answers its headers.
export async function download(path, body, name = null) {
  const answer = await fileAt(path, body);
  save(await answer.blob(), name ?? nameIn(answer.headers.get("Content-Disposition") ?? ""));
  return answer.headers;
}

// The name with all its signs (RFC 6266), else the plain one.
function nameIn(disposition) {
  const [, whole] = disposition.match(/filename\*=UTF-8''([^;]+)/i) ?? [];
  return whole ? decodeURIComponent(whole) : disposition.match(/filename="?([^";]+)/)?.[1] ?? "";
}

// Save a file that the page has made.
export function save(blob, name) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(blob);
  link.click();
  URL.revokeObjectURL(link.href);
}

// A page of a list, and where the next one begins.
export async function page(path) {
  const { data, page: about } = await call("GET", path);
  return { items: data, cursor: about?.nextCursor ?? null, page: about };
}

// All that is at an address: of a list, every page.
export async function getAll(path) {
  let { items, cursor } = await page(path);
  while (cursor !== null) {
    const next = await page(`${path}${path.includes("?") ? "&" : "?"}cursor=${cursor}`);
    items = [...items, ...next.items];
    cursor = next.cursor;
  }
  return items;
}

// An address with the parameters that are set.
export function address(path, parameters = {}) {
  const given = Object.entries(parameters).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

// A file of the page itself, such as a catalogue of messages.
export const file = async (path) => (await fetch(path)).json();
