// The API reference works without this file. It adds “Try it”, which calls only the sandbox.
const tokenForm = document.querySelector('#try-it');
const { base, prefix, enterToken, outside } = tokenForm.dataset;
const token = document.querySelector('#token');

tokenForm.hidden = false;
tokenForm.addEventListener('submit', (event) => event.preventDefault());
for (const details of document.querySelectorAll('details.try')) {
  details.hidden = false;
  const form = details.querySelector('form');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const status = form.querySelector('[role=status]');
    try {
      status.replaceChildren(...(await send(form)));
    } catch (error) {
      status.replaceChildren(paragraph(error.message));
    }
  });
}

async function send(form) {
  if (!token.value.startsWith(prefix)) {
    token.focus();
    throw new Error(`${enterToken} ${prefix}.`);
  }
  const { url, init } = requestOf(form);
  const started = performance.now();
  const response = await fetch(url, init);
  const milliseconds = Math.round(performance.now() - started);
  const text = await response.text();
  const head = `HTTP ${response.status} ${response.statusText}, ${milliseconds} ms`;
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return [paragraph(head), block(headers), ...(text ? [block(pretty(text))] : [])];
}

function requestOf(form) {
  const headers = { Authorization: `Bearer ${token.value}`, Accept: 'application/json' };
  const query = new URLSearchParams();
  let path = form.dataset.path;
  let body;
  for (const field of form.querySelectorAll('[data-in]')) {
    const { in: place, name } = field.dataset;
    if (field.value === '') continue;
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(field.value));
    if (place === 'query') query.set(name, field.value);
    if (place === 'header') headers[name] = field.value;
    if (place === 'body') {
      body = field.value;
      headers['Content-Type'] = 'application/json';
    }
  }
  const url = new URL(base + path, location.origin);
  url.search = query;
  // A path parameter such as `..` could lead out of the sandbox.
  if (!url.pathname.startsWith(`${base}/`)) throw new Error(outside);
  const { method } = form.dataset;
  return { url, init: { method, headers, body, credentials: 'omit', cache: 'no-store', redirect: 'error' } };
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const paragraph = (text) => element('p', text);
const block = (text) => element('pre', text);

function element(name, text) {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}
