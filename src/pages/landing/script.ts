import { LIVE_SCRIPT } from './live-panel.ts';

/** Browsers offer the clipboard over HTTPS and on localhost only: elsewhere there is no button. */
const COPY_SCRIPT = `
const button = document.querySelector('.shell button');
const command = document.querySelector('pre code');
button.hidden = navigator.clipboard === undefined;
button.addEventListener('click', async () => {
  const isCopied = await navigator.clipboard.writeText(command.textContent).then(() => true, () => false);
  button.textContent = isCopied ? 'Copied' : 'Not copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 2000);
});
`;

/** The script of the page, for those who see the panel: the page of others runs none. */
export const SCRIPT = `${LIVE_SCRIPT}${COPY_SCRIPT}`;
