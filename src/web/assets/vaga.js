// Every page works without this file. It completes addresses, and adds the buttons that copy a text.
for (const target of document.querySelectorAll('[data-path]'))
  target.textContent = location.origin + target.dataset.path;
const { copy, copied, selected } = document.currentScript.dataset;
for (const target of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'secondary small';
  button.textContent = copy;
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(target.textContent.trim());
      status.textContent = ` ${copied}`;
    } catch {
      getSelection().selectAllChildren(target);
      status.textContent = ` ${selected}`;
    }
  });
  target.after(button, status);
}
