// Making an account, where the server lets anybody.
import { get } from "../api.js";
import { go } from "../router.js";
import { accountForm } from "../widgets/account.js";
import { button, card, heading, paragraph } from "../widgets/element.js";

export async function register() {
  const { openToYou } = await get("/auth/register");
  const back = button("Sign in instead", () => go());
  if (!openToYou) {
    return [card(heading("By invite"), paragraph("On this server accounts are made by invite. Ask a colleague for a link."), back)];
  }
  return [card(heading("Make an account"), accountForm("Make the account", {}, () => go()), back)];
}
