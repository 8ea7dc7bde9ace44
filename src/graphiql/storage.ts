import { isObject, parseJson } from '../rest/json.ts';
import type { Tab } from './tabs.ts';

/** The part of the browser's `Storage` that GraphiQL uses. */
export type PageStorage = Pick<Storage, 'length' | 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/**
 * GraphiQL alone would open the first example without its variables, and add a copy of a tab whose separately stored
 * parts differ. So all parts of the active tab are read from one place.
 */
export function createStorage(examples: readonly Tab[], browser: PageStorage): PageStorage {
  function getItem(key: string): string | null {
    const stored = parseStoredTabs(browser.getItem('graphiql:tabState') ?? '');
    const active = stored ? (stored.tabs[stored.activeTabIndex] ?? stored.tabs[0]) : examples[0];
    const told = new Map([
      ['graphiql:tabState', stored && JSON.stringify(stored)],
      ['graphiql:query', active?.query],
      ['graphiql:variables', active?.variables],
      ['graphiql:headers', active?.headers],
      // Headers contain credentials, so they are stored only if the user opts in.
      ['graphiql:shouldPersistHeaders', browser.getItem(key) ?? 'false'],
    ]);
    return told.has(key) ? (told.get(key) ?? null) : browser.getItem(key);
  }

  return {
    get length() {
      return browser.length;
    },
    getItem,
    setItem: (key, value) => browser.setItem(key, value),
    removeItem: (key) => browser.removeItem(key),
    clear: () => browser.clear(),
  };
}

/** The tabs as GraphiQL stores them; undefined if there are none, or if they are something else. */
function parseStoredTabs(text: string) {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { tabs, activeTabIndex } = value;
  const isFilled = Array.isArray(tabs) && tabs.length > 0 && tabs.every(isTab);
  return isFilled && typeof activeTabIndex === 'number' ? { ...value, tabs, activeTabIndex } : undefined;
}

function isTab(value: unknown): value is Tab {
  if (!isObject(value)) return false;
  const panes = [value.query, value.variables, value.headers];
  return panes.every((text) => text === null || typeof text === 'string');
}

/** A value that the page shows, and that changes by other means than its components. */
export function createStore<T>(initial: T) {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    put(changed: T): void {
      value = changed;
      for (const listener of listeners) listener();
    },
    /** Returns a function that ends the subscription. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
