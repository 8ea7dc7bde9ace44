import type { Tab } from './tabs.ts';

/** The members of the browser's `Storage` that GraphiQL uses. */
export type PageStorage = Pick<Storage, 'length' | 'getItem' | 'setItem' | 'removeItem' | 'clear'>;

/** Returns the active tab of the last visit. GraphiQL stores its texts again elsewhere, at other moments. */
export function getActiveTab(browser: PageStorage): Tab | undefined {
  const stored = browser.getItem('graphiql:tabState');
  const { tabs, activeTabIndex }: { tabs: readonly Tab[]; activeTabIndex: number } = JSON.parse(
    stored ?? '{"tabs": []}',
  );
  return tabs[activeTabIndex];
}

/** Wraps the browser's storage, so that GraphiQL's history contains no secrets. */
export function createStorage(browser: PageStorage): PageStorage {
  return {
    get length() {
      return browser.length;
    },
    getItem: (key) => browser.getItem(key),
    setItem: (key, value) =>
      browser.setItem(key, /^graphiql:(queries|favorites)$/.test(key) ? removeSecrets(value) : value),
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
