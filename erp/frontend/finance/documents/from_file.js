// A file of the inbox that becomes a bill: it stands beside the form, and goes with the bill.
import { address, get, getAll, newKey, send } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { neighboursIn } from "../../core/neighbours.js";
import { notify } from "../../core/notices.js";
import { changed, list, resource } from "../../core/store.js";
import { pager } from "../../ui/pager.js";
import { isShown, paper } from "../../ui/paper.js";

const PATH = "/workspace/attachments";
const INBOX = address(PATH, { isFiled: false });
const addressOf = ({ id }) => `/inbox/${id}`;

// Which of the files in the inbox it is, and the way to the others.
export const pagerOf = (id) => pager(neighboursIn(list(INBOX), id), addressOf);

// A file that someone else has filed meanwhile makes no second bill.
export async function checkInInbox(fileId) {
  const { resourceId, resourceName } = await get(`${PATH}/${fileId}`);
  if (resourceId) throw new Error(t("This file belongs to {name} already.", { name: resourceName }));
}

// A bill is there even where its file has gone to another record meanwhile.
export async function attach(fileId, bill) {
  try {
    await send("POST", `${PATH}/${fileId}/file`, { resourceType: "invoice", resourceId: bill.id }, { key: newKey() });
  } catch (refusal) {
    notify(refusal.reason, { kind: "bad" });
  }
  changed(PATH);
}

// The same, and the address of the file after it, else of the one before; the inbox when there is no other.
export async function filed(fileId, bill) {
  const files = await getAll(INBOX).catch(() => []); // a failure here would have the bill posted again
  const at = files.findIndex(({ id }) => id === fileId);
  const next = files[at + 1] ?? files[at - 1];
  await attach(fileId, bill);
  return next ? addressOf(next) : "/inbox";
}

export function paperOfFile(fileId) {
  const file = resource(`${PATH}/${fileId}`);
  return () => file.value && isShown(file.value) && paper(file.value);
}

export function paperOfBill(id, about = {}) {
  const files = resource(address(PATH, { resourceType: "invoice", resourceId: id }));
  return () => {
    const file = files.value?.find(isShown);
    return file ? paper(file, about) : null;
  };
}
