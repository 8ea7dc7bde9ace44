import { createFinder, type Found } from './find.ts';
import { withOwnOrigin } from './origin.ts';

const INDEX_PATH = '/docs/search.json';
const MAX_SHOWN = 20;

type Finder = ReturnType<typeof createFinder>;

/** The search in the head of the page. Its index is loaded when it is first used. */
export function enableSearch(): void {
  const form = document.querySelector<HTMLFormElement>('.search');
  const input = form?.querySelector('input');
  const results = form?.querySelector<HTMLElement>('.results');
  const status = form?.querySelector('[role=status]');
  if (!form || !input || !results || !status) return;

  let loading: Promise<Finder> | undefined;
  const finder = () => {
    loading ??= loadFinder().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  const show = (...content: readonly Node[]) => {
    results.replaceChildren(...content);
    results.hidden = content.length === 0;
  };
  const say = (sentence: string) => {
    status.textContent = sentence;
    show(element('p', sentence));
  };
  /** Where the reader was when a key led to the search: on a phone it is at the top of the page. */
  let place: number | undefined;
  const close = () => {
    show();
    status.textContent = '';
  };

  const search = async () => {
    const query = input.value.trim();
    if (query === '') return close();
    let find: Finder;
    try {
      find = await finder();
    } catch {
      return say('The search does not work now, because the gateway does not answer.');
    }
    // While the index was loaded, something else may have been typed, or the reader may have gone elsewhere.
    if (query !== input.value.trim() || !form.matches(':focus-within')) return;
    const found = find(query);
    if (found.length === 0) return say(`Nothing found for “${query}”.`);
    const shown = found.slice(0, MAX_SHOWN);
    status.textContent = found.length === 1 ? '1 result' : `${found.length} results`;
    const list = document.createElement('ol');
    list.append(...shown.map(resultItem));
    const rest = found.length - shown.length;
    show(list, ...(rest > 0 ? [element('p', `${rest} more. Add a word to narrow the search.`)] : []));
  };

  const links = () => [...results.querySelectorAll('a')];
  /** By the arrow keys, from the input to the first result and on. */
  const move = (by: number) => {
    const stops: HTMLElement[] = [input, ...links()];
    const here = stops.findIndex((stop) => stop.matches(':focus'));
    stops[Math.max(0, Math.min(stops.length - 1, here + by))]?.focus();
  };

  form.hidden = false;
  // The search itself says what has failed.
  input.addEventListener('focus', () => void finder().catch(() => {}));
  input.addEventListener('input', () => void search());
  input.addEventListener('click', () => void search());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    links()[0]?.click();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      close();
      input.focus({ preventScroll: true });
      if (place !== undefined) scrollTo({ top: place, behavior: 'instant' });
      place = undefined;
    } else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else return;
    event.preventDefault();
  });
  // Also when a result is opened: the focus goes to its place, which may be on this page.
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    event.preventDefault();
    place = scrollY;
    input.focus();
    input.select();
    void search();
  });
}

async function loadFinder(): Promise<Finder> {
  const response = await fetch(INDEX_PATH);
  if (!response.ok) throw new Error(response.statusText);
  return createFinder(await response.json());
}

function resultItem({ entry, snippet }: Found): HTMLElement {
  const link = document.createElement('a');
  link.href = entry.path;
  const text = document.createElement('span');
  text.append(...snippet.map((piece) => element(piece.isMatch ? 'mark' : 'span', withOwnOrigin(piece.text))));
  link.append(element('small', entry.above.join(' › ')), element('b', entry.heading), text);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
