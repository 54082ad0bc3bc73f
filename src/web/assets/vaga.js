// Every page works without this file; it adds the buttons that only a script can do.
for (const target of document.querySelectorAll('[data-copy]')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'secondary small';
  button.textContent = 'Copy';
  const said = document.createElement('span');
  said.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(target.textContent.trim());
      said.textContent = ' Copied';
    } catch {
      getSelection().selectAllChildren(target);
      said.textContent = ' Selected: copy it with the keyboard';
    }
  });
  target.after(button, said);
}
