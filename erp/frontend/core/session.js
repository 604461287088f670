// Who is signed in, in which workspace, and what they may do there.
import { actIn, get, send } from "./api.js";
import { setZone } from "./format.js";
import { forgetAll } from "./store.js";
import { signal } from "./view.js";

export const session = signal(null);

export const may = (permission) => !permission || Boolean(session.value?.workspace?.permissions.includes(permission));
export const isAdmin = () => Boolean(session.value?.user.isInstanceAdmin);
export const settings = () => session.value?.workspace?.settings ?? {};
export const currency = () => settings().baseCurrency ?? "EUR";
export const employeeId = () => session.value?.workspace?.employeeId ?? null;
export const preferences = () => session.value?.preferences ?? {};

// Read the session of this browser; null if nobody is signed in.
export async function readSession() {
  const found = await get("/auth/session").catch((refusal) => {
    if (refusal.status === 401) return null;
    throw refusal;
  });
  actIn(found?.workspace?.id ?? null);
  setZone(found?.workspace?.settings?.timeZone);
  session.value = found;
  return found;
}

export async function select(workspaceId) {
  await send("POST", "/auth/select-workspace", { workspaceId });
  forgetAll();
  return readSession();
}

export async function signOut() {
  await send("POST", "/auth/logout");
  forgetAll();
  actIn(null);
  session.value = null;
}
