import { parseStoredTabs, type Tab } from './tabs.ts';

/** The part of the browser's `Storage` that GraphiQL uses. */
export type PageStorage = Pick<Storage, 'length' | 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/**
 * Wraps the browser's storage for GraphiQL, so that the page reopens as it was left. By default GraphiQL would open the
 * first example without its variables, and add a copy of a tab whose separately stored parts differ. So all parts of
 * the active tab are read from one place.
 */
export function createStorage(examples: readonly Tab[], browser: PageStorage): PageStorage {
  const storedTabs = () => parseStoredTabs(browser.getItem('graphiql:tabState') ?? '');

  function activeTab(): Tab | undefined {
    const stored = storedTabs();
    return stored ? (stored.tabs[stored.activeTabIndex] ?? stored.tabs[0]) : examples[0];
  }

  function getItem(key: string): string | null {
    switch (key) {
      case 'graphiql:tabState':
        return JSON.stringify(storedTabs()) ?? null;
      case 'graphiql:query':
        return activeTab()?.query ?? null;
      case 'graphiql:variables':
        return activeTab()?.variables ?? null;
      case 'graphiql:headers':
        return activeTab()?.headers ?? null;
      case 'graphiql:shouldPersistHeaders':
        // Headers contain credentials, so they are stored only if the user opts in.
        return browser.getItem(key) ?? 'false';
      default:
        return browser.getItem(key);
    }
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
