// Every page works without this file. It adds the buttons that copy a text.
for (const target of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'secondary small';
  button.textContent = 'Copy';
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(target.textContent.trim());
      status.textContent = ' Copied';
    } catch {
      getSelection().selectAllChildren(target);
      status.textContent = ' Selected. Copy it with the keyboard.';
    }
  });
  target.after(button, status);
}
