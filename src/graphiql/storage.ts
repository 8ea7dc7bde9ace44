import type { GraphiqlSettings } from '../http/pages/graphiql.ts';
import { exampleTabs, operationName, parseStoredTabs, type StoredTabs, type Tab } from './tabs.ts';

/** The part of the browser's `Storage` that GraphiQL uses. */
export interface PageStorage {
  readonly length: number;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  clear(): void;
}

/**
 * Wraps the browser's storage for GraphiQL, so that the page reopens as it was left. By default GraphiQL would open the
 * first example without its variables, lose an example's own headers on reload, and add a copy of a tab whose
 * separately stored parts differ. So all parts of the active tab are read from one place, and headers that were not
 * stored are taken from the settings.
 */
export function createStorage(settings: GraphiqlSettings, browser: PageStorage): PageStorage {
  const examples = exampleTabs(settings);
  const exampleHeaders = new Map(examples.map((tab) => [operationName(tab), tab.headers]));

  function storedTabs(): StoredTabs | undefined {
    const stored = parseStoredTabs(browser.getItem('graphiql:tabState') ?? '');
    return stored && { ...stored, tabs: stored.tabs.map(withHeaders) };
  }

  function withHeaders(tab: Tab): Tab {
    return { ...tab, headers: tab.headers ?? exampleHeaders.get(operationName(tab)) ?? settings.headers };
  }

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
