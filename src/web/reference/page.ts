import { policy } from '../../domain/environment.ts';

const { restBase } = policy.sandbox;

/** Swagger UI of this origin and nothing else; its icons are data addresses in its style sheet. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vaga job posting API: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/swagger-ui-bundle.js" defer></script>
<script src="/docs/docs.js" defer></script>
</head>
<body>
<header>
<p>“Try it out” calls the <strong>sandbox</strong> (<code>${restBase}</code>): choose <em>Authorize</em> and paste a token that begins
with <code>${policy.sandbox.tokenPrefix}</code>. Production is the same under <code>${policy.production.restBase}</code>.
The contract: <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>; for agents:
<a href="/llms.txt">llms.txt</a>.</p>
</header>
<main id="reference"></main>
<noscript><p>The rendered reference needs JavaScript; the contract itself is <a href="/openapi.yaml">openapi.yaml</a>.</p></noscript>
</body>
</html>
`;

/** Production is taken out of the servers, so that nothing tried here can publish a job. */
export const docsScript = `const response = fetch('/openapi.json');
addEventListener('DOMContentLoaded', async () => {
  const spec = await (await response).json();
  spec.servers = spec.servers.filter(({ url }) => url === '${restBase}');
  SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
});
`;

export const docsStyle = `body { margin: 0; font-family: system-ui, sans-serif; }
header, noscript { display: block; max-width: 1420px; margin: 0 auto; padding: 0 20px; line-height: 1.5; }
`;
