// The only file that talks to the server: sends requests, and unwraps data or a refusal from the envelope.
const PREFIX = "/api/v1";

export class Refusal extends Error {
  constructor({ code = "", status = 0, message, details = [] }) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

async function call(verb, path, body) {
  const headers = body === undefined ? {} : { "Content-Type": "application/json" };
  let answer;
  try {
    answer = await fetch(PREFIX + path, { method: verb, headers, body: JSON.stringify(body) });
  } catch {
    throw new Refusal({ code: "no_answer", message: "The server does not answer. Check that it is still running." });
  }
  const envelope = await answer.json().catch(() => ({}));
  if (envelope.success) return envelope.data;
  throw new Refusal(envelope.error ?? { status: answer.status, message: `The server failed (${answer.status}). Try again in a moment.` });
}

export const get = (path) => call("GET", path);
export const remove = (path) => call("DELETE", path);
export const post = (path, body) => call("POST", path, body);

// The session of this browser; null if no one is signed in.
export async function session() {
  try {
    return await get("/auth/session");
  } catch (refusal) {
    if (refusal.status === 401) return null;
    throw refusal;
  }
}
