// Every page works without this file. It completes addresses, adds buttons, and moves the focus to errors.
for (const target of document.querySelectorAll('[data-path]'))
  target.textContent = location.origin + target.dataset.path;
// Only in our own documentation: what a person wrote stays as it is.
for (const target of document.querySelectorAll('[data-address] :is(pre, code)'))
  if (target.textContent.includes('{address}'))
    target.textContent = target.textContent.replaceAll('{address}', location.origin);
const { copy, copied, selected, show } = document.currentScript.dataset;

function buttonAfter(target, text) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'secondary small';
  button.textContent = text;
  target.after(button);
  return button;
}

for (const target of document.querySelectorAll('[data-copy]')) {
  const button = buttonAfter(target, copy);
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  button.after(status);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(target.textContent.trim());
      status.textContent = ` ${copied}`;
    } catch {
      getSelection().selectAllChildren(target);
      status.textContent = ` ${selected}`;
    }
  });
}

for (const form of document.forms) {
  const inputs = [...form.querySelectorAll('[type=password]')];
  if (inputs.length === 0) continue;
  const button = buttonAfter(inputs.at(-1), show);
  button.setAttribute('aria-pressed', 'false');
  button.addEventListener('click', () => {
    const isShown = button.getAttribute('aria-pressed') === 'true';
    for (const input of inputs) input.type = isShown ? 'password' : 'text';
    button.setAttribute('aria-pressed', String(!isShown));
  });
}

// Contents can be searched: a link stays if what it leads to has every typed word, whatever its case, accents, apostrophes and hyphens.
const folded = (text) =>
  text
    .normalize('NFD')
    .replace(/[\p{M}\p{Pd}\p{Pi}\p{Pf}'`´"]/gu, '')
    .toLowerCase();

/** The text of a closed part, or from a heading up to the next one of its rank. */
function textAt(target) {
  const closed = target.closest('details');
  if (closed) return closed.textContent;
  let text = target.textContent;
  for (
    let next = target.nextElementSibling;
    next && next.localName !== target.localName;
    next = next.nextElementSibling
  )
    text += ` ${next.textContent}`;
  return text;
}

for (const search of document.querySelectorAll('nav > search')) {
  const [input, status] = search.children;
  let entries;
  search.hidden = false;
  input.addEventListener('input', () => {
    // The whole page is read at the first letter.
    entries ??= [...search.parentElement.querySelectorAll('li > a')].map((link) => [
      link.parentElement,
      folded(textAt(document.getElementById(link.hash.slice(1)))),
    ]);
    const words = folded(input.value).split(/\s+/);
    for (const [item, text] of entries) item.hidden = !words.every((word) => text.includes(word));
    status.textContent = entries.every(([item]) => item.hidden) ? status.dataset.none : '';
  });
}

// A form is not sent again until its page is shown again, or for ten seconds: the person may have stopped it. A file leaves the page as it is.
const sentAt = new Map();
const shownAt = performance.now();
document.addEventListener('submit', (event) => {
  const { target, submitter } = event;
  // The default button of a form for a decision sends nothing.
  if (submitter?.formMethod === 'dialog') return;
  const now = performance.now();
  const unseenMs = Number(target.elements.shownAt?.dataset.ms ?? 0);
  const pauseMs = 'file' in target.dataset ? 1000 : 10_000;
  if (now - (sentAt.get(target) ?? Number.NEGATIVE_INFINITY) < pauseMs || now - shownAt < unseenMs)
    event.preventDefault();
  else if (target.method === 'post') sentAt.set(target, now);
});
addEventListener('pageshow', () => sentAt.clear());

// The first field of a refused form that is wrong, or empty again, as a password is. Otherwise the result of an action.
const control = ':is(input:not([type=hidden]), select, textarea)';
const wrong = ':is([aria-invalid], [aria-invalid] *, form:has([aria-invalid]) :invalid, [role=alert] ~ form :invalid)';
for (const selector of [control + wrong, '[role=alert], .notice']) {
  const result = document.querySelector(selector);
  result?.focus();
  if (result) break;
}
