// Every page works without this file. It adds the buttons that copy a text.
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
