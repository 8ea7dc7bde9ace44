import { createSearch, type Found } from './search.ts';

// Commands and programs name the gateway that serves the page.
for (const code of document.querySelectorAll('main code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
    node.nodeValue = (node.nodeValue ?? '').replaceAll('http://localhost:4000', location.origin);
}

for (const bar of document.querySelectorAll('.code > p')) {
  const button = element('button', 'Copy');
  button.addEventListener('click', async () => {
    const text = bar.nextElementSibling?.textContent ?? '';
    // Browsers offer the clipboard over HTTPS and on localhost only.
    const isCopied = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? 'Copied' : 'Not copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  bar.append(button);
}

const form = document.querySelector('form');
const input = document.querySelector('input');
const results = document.querySelector('ol');
if (form && input && results) {
  // Loaded when it is first used, and again if that failed.
  let loading: Promise<ReturnType<typeof createSearch>> | undefined;
  const load = () => {
    loading ??= fetch('/docs/search.json').then(async (response) => createSearch(await response.json()));
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const show = (...items: readonly Node[]) => {
    results.replaceChildren(...items);
    results.hidden = items.length === 0;
  };
  const search = async () => {
    const query = input.value.trim();
    const find = await load().catch(() => undefined);
    if (query !== input.value.trim()) return;
    const found = query ? find?.(query).slice(0, 12) : [];
    if (found === undefined)
      show(element('li', 'The search does not work now: the gateway does not answer.'));
    else if (query && found.length === 0) show(element('li', `Nothing found for “${query}”.`));
    else show(...found.map(resultItem));
  };
  input.addEventListener('focus', search);
  input.addEventListener('input', search);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') show();
  });
  // Also when a result is opened: the focus goes to its place, which may be on this page.
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) show();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === input || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    input.focus();
  });
}

function resultItem({ path, page, title, text, terms }: Found): HTMLElement {
  const link = element('a', '');
  link.setAttribute('href', path);
  const words = text.join(' ');
  const start = words.lastIndexOf(' ', words.toLowerCase().indexOf(terms[0] ?? '') - 60) + 1;
  const excerpt = `${words.slice(start, start + 160)} …`;
  link.append(element('b', title === page ? page : `${page} › ${title}`), element('span', excerpt));
  const item = element('li', '');
  item.append(link);
  return item;
}

function element(name: string, text: string): HTMLElement {
  return Object.assign(document.createElement(name), { textContent: text });
}
