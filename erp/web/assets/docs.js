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
