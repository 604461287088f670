// Creating an account, if the server allows everyone to.
import { get } from "../api.js";
import { go } from "../router.js";
import { accountForm } from "../widgets/account.js";
import { button, card, heading, paragraph } from "../widgets/element.js";

export async function register() {
  const { openToYou } = await get("/auth/register");
  const back = button("Sign in instead", () => go());
  if (!openToYou) {
    return [card(heading("By invite only"), paragraph("You need an invite to create an account on this server. Ask a colleague for a link."), back)];
  }
  return [card(heading("Create an account"), accountForm("Create account", {}, () => go()), back)];
}
