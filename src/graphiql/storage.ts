import type { Tab } from './tabs.ts';

/** The part of the browser's `Storage` that GraphiQL uses. */
export type PageStorage = Pick<Storage, 'length' | 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/** What GraphiQL's history stores: all texts of a tab for each run. */
const HISTORY = /^graphiql:(queries|favorites)$/;

/**
 * GraphiQL alone would open the first example without its variables, and add a copy of a tab whose separately stored
 * parts differ. So all parts of the active tab are read from one place.
 */
export function createStorage(example: Tab | undefined, browser: PageStorage): PageStorage {
  function getItem(key: string): string | null {
    const { tabs, activeTabIndex }: { tabs: readonly (Tab | undefined)[]; activeTabIndex: number } =
      JSON.parse(
        browser.getItem('graphiql:tabState') ?? JSON.stringify({ tabs: [example], activeTabIndex: 0 }),
      );
    const active = tabs[activeTabIndex];
    const told = new Map([
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
    setItem: (key, value) => browser.setItem(key, HISTORY.test(key) ? withoutSecrets(value) : value),
    removeItem: (key) => browser.removeItem(key),
    clear: () => browser.clear(),
  };
}

/** A text named like a secret: `token: "…"`, `"refreshToken": "…"`, `$token: String! = "…"`. */
const NAMED_SECRET =
  /((?:token|secret|password)\w*"?\s*:\s*(?:[\w[\]!]+\s*=\s*)?)("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/gi;

/** A history without headers, and without values that are named like a secret. */
function withoutSecrets(history: string): string {
  return JSON.stringify(JSON.parse(history), (key, value: unknown) => {
    if (key === 'headers') return undefined;
    return typeof value === 'string' ? value.replace(NAMED_SECRET, '$1""') : value;
  });
}
