// One message: to whom, what it says, and what the mail server answered.
import { moment } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { tags } from "../../core/view.js";
import { panel } from "../../ui/dialog.js";
import { facts } from "../../ui/facts.js";
import { problemOf, statePill } from "../../ui/message.js";
import { kindOfMessage } from "./words.js";

const { div, p } = tags;

export const showMessage = (message) =>
  panel({
    title: kindOfMessage(message),
    body: () =>
      div(
        { class: "stack" },
        div(statePill(message)),
        problemOf(message) && p(problemOf(message)),
        facts([
          [t.of("mail", "To"), message.to.map(recipient)],
          [t.of("mail", "Copy to"), message.cc.length > 0 && message.cc.map(recipient)],
          [t("Subject"), message.subject],
          [t("Files"), message.attachments.map(({ name }) => name).join(", ")],
          [t("Handed to the mail server"), message.status === "sent" && moment(message.sentAt)],
          [t("Next try"), message.nextAt && moment(message.nextAt)],
          [t("Reply of the mail server"), message.reply],
          [t("Created by"), message.createdByName],
        ]),
        div(message.text.split("\n").map((line) => div(line || "\u00a0"))),
      ),
  });

const recipient = ({ address, status, reply }) =>
  div(address, status === "refused" && div({ class: "soft small" }, t("refused: {reply}", { reply: reply ?? "" })));
