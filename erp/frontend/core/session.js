// Who is signed in, in which workspace, and what they may do there.
import { actAs, actIn, get, send } from "./api.js";
import { setBase, setZone } from "./format.js";
import { forgetAll } from "./store.js";
import { signal } from "./signals.js";

export const session = signal(null);
let isLeaving = false;
const tabs = new BroadcastChannel("erp-session"); // who is signed in in this browser: an id, or null

// Whether a user is signed in and is not signing out. If the server refuses them, their session has ended by itself.
export const isSignedIn = () => session.peek() !== null && !isLeaving;

// Whether someone has a permission, or one of several.
export const may = (permission) =>
  !permission || [permission].flat().some((one) => session.value?.workspace?.permissions.includes(one));
export const isAdmin = () => Boolean(session.value?.user.isInstanceAdmin);
export const settings = () => session.value?.workspace?.settings ?? {};
export const currency = () => settings().baseCurrency ?? "EUR";
export const employeeId = () => session.value?.workspace?.employeeId ?? null;
export const preferences = () => session.value?.preferences ?? {};

const screens = signal({}); // what each screen keeps for the user, on every device

export const kept = (screen) => screens.value[screen] ?? {};

// Shown at once; undone if the server refuses it.
export async function keep(screen, value) {
  const before = screens.peek();
  screens.value = { ...before, [screen]: value };
  try {
    await send("PATCH", "/auth/preferences", { screens: { [screen]: value } });
  } catch (refusal) {
    screens.value = before;
    throw refusal;
  }
}

// Read the session of this browser; null if no one is signed in. `admission`, where it is known, says whether there is
// any, so that the server need not refuse to tell.
export async function readSession(admission = null) {
  if (admission && !admission.hasSession) return null;
  const asked = await get("/auth/session").catch((refusal) => {
    if (refusal.status === 401) return null;
    throw refusal;
  });
  const found = await withWorkspace(asked);
  actAs(found?.user.id ?? null);
  actIn(found?.workspace?.id ?? null);
  setZone(found?.workspace?.settings?.timeZone);
  setBase(found?.workspace?.settings?.baseCurrency);
  screens.value = found?.preferences?.screens ?? {};
  session.value = found;
  if (found) tabs.postMessage(found.user.id);
  return found;
}

// `act(userId)` when another tab has signed someone else in, or out, while this one has a user.
export const onOthersSession = (act) =>
  tabs.addEventListener("message", ({ data }) => session.peek() && data !== session.peek().user.id && act(data));

// No one chooses where there is one workspace, or the one that they left.
async function withWorkspace(found) {
  if (!found || found.workspace) return found;
  const open = found.workspaces.filter(({ status }) => status !== "unavailable");
  const chosen = open.length === 1 ? open[0] : open.find(({ id }) => id === localStorage.getItem(lastOf(found.user)));
  if (!chosen) return found;
  await send("POST", "/auth/select-workspace", { workspaceId: chosen.id });
  return get("/auth/session");
}

const lastOf = ({ id }) => `workspace/${id}`;

export async function select(workspaceId) {
  await send("POST", "/auth/select-workspace", { workspaceId });
  if (session.peek()) localStorage.setItem(lastOf(session.peek().user), workspaceId);
  forgetAll();
  return readSession();
}

export async function signOut() {
  isLeaving = true;
  try {
    await send("POST", "/auth/logout");
    forgetAll();
    actAs(null);
    actIn(null);
    session.value = null;
    tabs.postMessage(null);
  } finally {
    isLeaving = false;
  }
}
