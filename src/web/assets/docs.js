// Renders the API reference. Requests go only to this service's sandbox; the token stays in this page's memory.
const sandbox = '/sandbox/v1/';
const renderer = document.querySelector('link[rel=modulepreload]').href;
const [{ createApiReference }, answer] = await Promise.all([import(renderer), fetch('/docs/reference.json')]);
const content = JSON.parse((await answer.text()).replaceAll('{address}', location.origin));
// Requests go to the origin of this page, under whichever name it was opened.
for (const server of content.servers) server.url = location.origin + /(\/sandbox)?\/v1$/.exec(server.url)[0];

// The guides are on the page that this one belongs to.
content.info.description = 'Requests go to the sandbox only. [API reference](/docs)';
document.querySelector('#reference').replaceChildren();
createApiReference('#reference', {
  content,
  customFetch: send,
  persistAuth: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  withDefaultFonts: false,
  hiddenClients: true,
  orderSchemaPropertiesBy: 'preserve',
  modelsSectionLabel: 'Schemas',
  generateOperationSlug: ({ operationId }) => operationId,
});

/** Sends a request from the page. A create without a key gets a new one. */
function send(input, init) {
  const request = new Request(input, init);
  const { origin, pathname } = new URL(request.url);
  const headers = new Headers(request.headers);
  if (origin !== location.origin || !pathname.startsWith(sandbox))
    throw new Error('This page sends requests only to the sandbox.');
  if (headers.get('Authorization')?.includes('vaga_live_'))
    throw new Error('Use a sandbox token; it begins with vaga_test_.');
  if (request.method === 'POST' && !headers.get('Idempotency-Key')) headers.set('Idempotency-Key', crypto.randomUUID());
  return fetch(new Request(request, { headers, credentials: 'omit', cache: 'no-store', redirect: 'error' }));
}

/** Names and roles that the renderer omits, for screen readers. An axe test checks them. */
function mend() {
  const each = (selector, change) => document.querySelectorAll(selector).forEach(change);
  each('button[role=none]', (button) => button.removeAttribute('role'));
  each('button[class*=copy-button]:not([aria-label])', (button) => button.setAttribute('aria-label', 'Copy'));
  each('button[class*=copy-button][aria-controls]', (button) => button.removeAttribute('aria-controls'));
  each('section[aria-label^=Notifications]', (section, at) =>
    section.setAttribute('aria-label', `Notifications ${at + 1}`),
  );
  each('[role=combobox]:not([aria-expanded])', (field) => field.setAttribute('aria-expanded', 'false'));
  each('.cm-scroller[tabindex="-1"]', (scroller) => scroller.setAttribute('tabindex', '0'));
  each('.cm-content:not([aria-label])', (editor) => editor.setAttribute('aria-label', 'Body'));
  each('.response-card[role=region]', (card) => card.removeAttribute('role'));
  const isOpen = document.querySelector('.scalar-client--open') !== null;
  each('main.references-rendered', (main) => main.toggleAttribute('inert', isOpen));
}

let isWaiting = false;
new MutationObserver(() => {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => {
    isWaiting = false;
    mend();
  }, 200);
}).observe(document.body, { childList: true, subtree: true, attributeFilter: ['class'] });
