// Help for each screen of the office itself: its purpose, the quick way, and the next step.
import { t } from "../core/i18n.js";

export const HELP = {
  "office/home/page": () => [
    t("The points that wait for you, and the day and the money at a glance."),
    t("Leave is decided here; each other point leads to its page."),
    t("A point that is done leaves the list. “Arrange” moves and hides the cards."),
  ],
  "office/import/page": () => [
    t("The way in for the data of your former program."),
    t("Choose a table; contacts and accounts come before opening balances."),
    t("Each import shows its errors first and stores nothing before the last step."),
  ],
  "office/log/list": () => [
    t("Every change in this workspace with its time and person."),
    t("Enter shows a change; the filters choose kind and person."),
    t("“Verify” checks that no entry of the log has been altered."),
  ],
  "office/mail/list": () => [
    t("All messages that the program has sent or will send."),
    t("Enter shows a message; the row offers the next step, such as “Send again”."),
    t("“Unsure” means that a message may have gone out: look into your sent mail first."),
  ],
  "office/mail/settings": () => [
    t("The mail server through which messages are sent."),
    t("Enter server, user name and sender, then “Send a test”."),
    t("Without a mail server, messages open in your own mail program."),
  ],
  "office/members/list": () => [
    t("The people who can open this workspace, with their roles."),
    t("“Invite” (n) makes a link for one person; the row changes role or access."),
    t("A member who is removed loses access at once; their work stays."),
  ],
  "office/notices/list": () => [
    t("Notices about your own records."),
    t("A notice leads to its record; e marks it as read, a marks all."),
    t("To open the record also marks its notices as read."),
  ],
  "office/nowhere": () => [
    t("There is no page at this address, or your role cannot see it."),
    t("“Go to the start page” leads home; Ctrl K finds any page."),
    t("An owner can change your role under “Members”."),
  ],
  "office/profile/page": () => [
    t("Your own name, language, password, sessions and access tokens."),
    t("Each part has its own “Save”."),
    t("A new password ends the sessions on all other devices."),
  ],
  "office/server/page": () => [
    t("The server itself: its address, its workspaces and its version."),
    t("Share it with the network, and give others the address or the code."),
    t("Backups and users have screens of their own beside it."),
  ],
  "office/server/backups": () => [
    t("The backups of all data of this server."),
    t("“Create backup” makes and checks a copy of all data."),
    t("A restore takes effect at the next start; later changes are set aside."),
  ],
  "office/server/users": () => [
    t("Everyone who can sign in to this server."),
    t("The menu of a row has a password link, deactivation and the reset of two-factor sign-in."),
    t("A user who is deactivated is signed out everywhere."),
  ],
  "office/settings/page": () => [
    t("The settings of this workspace, one page for each subject."),
    t("Choose a page, change the fields and “Save”."),
    t("“Download everything” exports all data of the workspace as a zip file."),
  ],
  "office/settings/texts": () => [
    t("Your own texts on documents and in their e-mails."),
    t("Choose document and language, write the text and “Save”."),
    t("“Use our texts again” brings back the given texts."),
  ],
  "office/setup/page": () => [
    t("The first start: your user and the workspace of your company."),
    t("Register first, then enter name and country of the company, or try it with sample data."),
    t("The first user becomes the server administrator and can invite colleagues."),
  ],
  "office/sign_in/invite": () => [
    t("An invite to a workspace."),
    t("Register with the link, or sign in if you have a user already."),
    t("The link works once; ask for a new one if it does not."),
  ],
  "office/sign_in/page": () => [
    t("The way in with e-mail address and password."),
    t("With two-factor sign-in, the next step asks for the code of your app."),
    t("If you forgot the password, the server administrator gives you a link."),
  ],
  "office/sign_in/register": () => [
    t("The form for a new user of this server."),
    t("Enter name, e-mail address and a password of at least 10 characters."),
    t("A few words in a row are easy to remember."),
  ],
  "office/sign_in/reset": () => [
    t("The page that sets a new password with a link."),
    t("Type the new password twice and choose “Set password”."),
    t("You are signed out everywhere; then sign in with the new password."),
  ],
  "office/sign_in/sign_out": () => [
    t("The page that ends your session."),
    t("Nothing has to be done here."),
    t("The sign-in page follows."),
  ],
  "office/sign_in/two_factor": () => [
    t("This workspace asks for two-factor sign-in."),
    t("Scan the code with an authenticator app and type the six digits."),
    t("Keep the recovery codes: each lets you in once without the app."),
  ],
  "office/sign_in/workspaces": () => [
    t("The workspaces that you belong to."),
    t("“Choose” opens one; “Create workspace” makes a new one."),
    t("The menu behind your name leads back here."),
  ],
  "office/webhooks/item": () => [
    t("One webhook with its deliveries."),
    t("“Send a test” tries the address; e edits; a failed delivery can be sent again."),
    t("“New signing secret” replaces the secret by which receivers check a message."),
  ],
  "office/webhooks/list": () => [
    t("Addresses of other programs that are told of events."),
    t("“New webhook” (n) adds one; the signing secret is shown once."),
    t("A webhook that fails for five days is turned off."),
  ],
  "office/workspace/page": () => [
    t("This workspace as a whole: name, country and currency."),
    t("“Copy this workspace” makes a second one to try things out."),
    t("Once archived it can be read, but not changed."),
  ],
};
