const SHOWN_MS = 2_000;

/** A button on each block of code that copies its text. */
export function addCopyButtons(): void {
  const status = document.createElement('p');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  document.body.append(status);
  for (const block of document.querySelectorAll('.code')) {
    const code = block.querySelector('code');
    const bar = block.querySelector('.bar');
    if (!code || !bar) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    let timer: ReturnType<typeof setTimeout> | undefined;
    button.addEventListener('click', async () => {
      const outcome = (await copy(code)) ? 'Copied' : 'Failed';
      button.textContent = outcome;
      status.textContent = outcome;
      clearTimeout(timer);
      timer = setTimeout(() => {
        button.textContent = 'Copy';
        status.textContent = '';
      }, SHOWN_MS);
    });
    bar.append(button);
  }
}

/** Browsers offer the clipboard over HTTPS and on localhost only. Elsewhere the text is selected and copied. */
async function copy(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(code);
    return document.execCommand('copy');
  }
}
