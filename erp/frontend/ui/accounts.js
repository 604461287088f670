// Accounts of the books to choose from.
import { get } from "../core/api.js";
import { t } from "../core/i18n.js";
import { resource } from "../core/store.js";

export const accountName = ({ code, name }) => `${code} ${name}`;
export const accountOfLine = ({ accountCode, accountName: name }) => accountName({ code: accountCode, name });
const nameOfAccount = async (id) => accountName(await get(`/finance/accounts/${id}`));

// The accounts that entries can be posted to, all or some, to be asked by what is typed; `find` answers one by its id or code.
export function postable(suits = (_account) => true) {
  const accounts = resource("/finance/accounts");
  const find = (named) => accounts.value?.find(({ id, code }) => [id, code].includes(named));
  return {
    options: async (typed) =>
      (await accounts.known()).filter((one) => !one.isGroup && suits(one)).map(optionOf)
        .filter(({ text }) => matches(text, typed)),
    name: (id) => accountName(find(id) ?? { code: "", name: "" }).trim(),
    find,
  };
}

const accountOptions = async (typed) =>
  (await get("/finance/accounts")).map(optionOf).filter(({ text }) => matches(text, typed));

export const accountChip = () => ({
  key: "accountId",
  text: t("Account"),
  load: accountOptions,
  shown: nameOfAccount,
});

const optionOf = (account) => ({ value: account.id, text: accountName(account) });
const matches = (text, typed) => text.toLowerCase().includes(typed.toLowerCase());
