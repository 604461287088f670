// What comes after the "#" of the address, and the page that shows it.
import { start } from "./router.js";
import { home } from "./pages/home.js";
import { invite } from "./pages/invite.js";
import { register } from "./pages/register.js";
import { reset } from "./pages/reset.js";
import { setup } from "./pages/setup.js";

start(document.getElementById("page"), { "": home, setup, invite, register, reset });
