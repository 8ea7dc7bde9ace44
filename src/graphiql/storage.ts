import type { Tab } from './tabs.ts';

/** The members of the browser's `Storage` that GraphiQL uses. */
export type PageStorage = Pick<Storage, 'length' | 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/** The keys of GraphiQL's history, which contains the texts of a tab for each run. */
const HISTORY = /^graphiql:(queries|favorites)$/;

/**
 * Wraps the browser's storage so that all texts of the active tab come from one place. Otherwise GraphiQL would open the
 * first example without its variables, and copy a tab whose separately stored texts differ.
 */
export function createStorage(example: Tab | undefined, browser: PageStorage): PageStorage {
  function getItem(key: string): string | null {
    const { tabs, activeTabIndex }: { tabs: readonly (Tab | undefined)[]; activeTabIndex: number } =
      JSON.parse(
        browser.getItem('graphiql:tabState') ?? JSON.stringify({ tabs: [example], activeTabIndex: 0 }),
      );
    const active = tabs[activeTabIndex];
    const overrides = new Map([
      ['graphiql:query', active?.query],
      ['graphiql:variables', active?.variables],
      ['graphiql:headers', active?.headers],
      // Headers contain credentials, so they are stored only if the user opts in.
      ['graphiql:shouldPersistHeaders', browser.getItem(key) ?? 'false'],
    ]);
    return overrides.has(key) ? (overrides.get(key) ?? null) : browser.getItem(key);
  }

  return {
    get length() {
      return browser.length;
    },
    getItem,
    setItem: (key, value) => browser.setItem(key, HISTORY.test(key) ? removeSecrets(value) : value),
    removeItem: (key) => browser.removeItem(key),
    clear: () => browser.clear(),
  };
}

/** Matches values with the name of a secret: `token: "…"`, `"refreshToken": "…"`, `$token: String! = "…"`. */
const NAMED_SECRET =
  /((?:token|secret|password)\w*"?\s*:\s*(?:[\w[\]!]+\s*=\s*)?)("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")/gi;

function removeSecrets(history: string): string {
  return JSON.stringify(JSON.parse(history), (key, value: unknown) => {
    if (key === 'headers') return undefined;
    return typeof value === 'string' ? value.replace(NAMED_SECRET, '$1""') : value;
  });
}
