// What the links that are handed out are for; each carries its secret behind the "#", which no server sees.
const LINKS = {
  setup: 'Set up this server: register below, with this as "setupCode" beside e-mail, password and name:',
  invite: 'You are invited: sign in, then send this as "token" to POST /api/v1/workspace/invites/accept; or register with it as "inviteToken":',
  reset: 'Set a new password: send this as "token" with "newPassword" to POST /api/v1/auth/password-resets/redeem:',
};
const [, kind, secret] = location.hash.match(/^#(setup|invite|reset)=([\w-]+)$/) ?? [];
if (kind) {
  const note = document.createElement("p");
  const code = document.createElement("code");
  note.className = "handed-out";
  note.textContent = `${LINKS[kind]} `;
  code.textContent = secret;
  note.append(code);
  document.body.prepend(note);
}

// A token typed under "Authorize" is forgotten when the page closes: kept, any script of this origin could read it.
SwaggerUIBundle({
  dom_id: "#docs",
  url: "/api/openapi.json",
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
