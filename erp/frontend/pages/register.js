// Registering, if the server allows everyone to.
import { get } from "../api.js";
import { go } from "../router.js";
import { accountForm } from "../widgets/account.js";
import { button, card, heading, paragraph } from "../widgets/element.js";

export async function register() {
  const { isOpenToYou } = await get("/auth/register");
  const back = button("Sign in instead", () => go());
  if (!isOpenToYou) {
    return [card(heading("By invite only"), paragraph("You need an invite to register on this server. Ask a colleague for a link."), back)];
  }
  return [card(heading("Register"), accountForm("Register", {}, () => go()), back)];
}
