import { createSearch } from './search.ts';

// Replaces the address in commands and programs by that of this gateway.
for (const code of document.querySelectorAll('main code'))
  code.innerHTML = code.innerHTML.replaceAll('http://localhost:4000', location.origin);

// Browsers have a clipboard only over HTTPS and on localhost.
const bars = 'clipboard' in navigator ? document.querySelectorAll('.code > p') : [];
for (const bar of bars) {
  const button = document.createElement('button');
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(bar.nextElementSibling?.textContent ?? '');
    button.textContent = 'Copied';
  });
  bar.append(button);
}

const input = document.querySelector('input');
const results = document.querySelector('form div');
/** Loads the index on first use. */
let loading: Promise<ReturnType<typeof createSearch>> | undefined;

async function search(): Promise<void> {
  loading ??= fetch('/docs/search.json').then(async (response) => createSearch(await response.json()));
  const find = await loading;
  const query = input?.value.trim() ?? '';
  const found = find(query).slice(0, 12);
  const items = found.map(({ path, page, title, text, terms: [term = ''] }) => {
    const start = text.lastIndexOf(' ', text.toLowerCase().indexOf(term) - 60) + 1;
    const excerpt = text.slice(start, start + 160).replace(/\S*$/, '…');
    return `<p><a href="${path}"><b>${title === page ? page : `${page} › ${title}`}</b><br>${excerpt}</a></p>`;
  });
  if (results) results.innerHTML = items.join('');
  if (query && found.length === 0) results?.append(`Nothing found for “${query}”.`);
}

input?.addEventListener('input', search);
document.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  results?.querySelector('a')?.click();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === input || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  input?.focus();
});
