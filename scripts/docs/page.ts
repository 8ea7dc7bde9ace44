import { createSearch, type Found } from './search.ts';

// Commands and programs name the gateway that serves the page.
for (const code of document.querySelectorAll('main code'))
  code.innerHTML = code.innerHTML.replaceAll('http://localhost:4000', location.origin);

for (const bar of document.querySelectorAll('.code > p')) {
  const button = element('button', {}, 'Copy');
  button.addEventListener('click', async () => {
    // Browsers offer the clipboard over HTTPS and on localhost only.
    const copied = navigator.clipboard
      ?.writeText(bar.nextElementSibling?.textContent ?? '')
      .then(() => 'Copied');
    button.textContent = (await copied?.catch(() => undefined)) ?? 'Not copied';
  });
  bar.append(button);
}

const input = document.querySelector('input');
const results = document.querySelector('ol');
/** Loaded when it is first used. */
let loading: Promise<ReturnType<typeof createSearch>> | undefined;

async function search(): Promise<void> {
  const query = input?.value.trim() ?? '';
  loading ??= fetch('/docs/search.json').then(async (response) => createSearch(await response.json()));
  const find = await loading.catch(() => undefined);
  if (query !== input?.value.trim()) return;
  const found = find?.(query).slice(0, 12).map(resultItem) ?? [];
  const none = find ? `Nothing found for “${query}”.` : 'The search cannot be loaded: reload the page.';
  results?.replaceChildren(...(query && found.length === 0 ? [element('li', {}, none)] : found));
}

function resultItem({ path, page, title, text, terms }: Found): HTMLElement {
  const words = text.join(' ');
  const start = words.lastIndexOf(' ', words.toLowerCase().indexOf(terms[0] ?? '') - 60) + 1;
  const name = element('b', {}, title === page ? page : `${page} › ${title}`);
  const excerpt = element('span', {}, `${words.slice(start, start + 160)} …`);
  return element('li', {}, element('a', { href: path }, name, excerpt));
}

function element(name: string, attributes: object, ...content: (Node | string)[]): HTMLElement {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...content);
  return made;
}

input?.addEventListener('focus', search);
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
