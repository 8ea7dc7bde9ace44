import type { GraphiqlSettings } from '../http/pages/graphiql.ts';
import { isRecord, parseJson } from './json.ts';

/** The text of the three panes of a tab. */
export interface Tab {
  readonly query: string | null;
  readonly variables: string | null;
  readonly headers: string | null;
}

/** The tabs as stored by GraphiQL; members that only GraphiQL uses are omitted. */
export interface StoredTabs {
  readonly activeTabIndex: number;
  readonly tabs: readonly Tab[];
}

export function exampleTabs(settings: GraphiqlSettings): Tab[] {
  return settings.tabs.map(({ title, query, variables = null, headers = settings.headers }) => ({
    // GraphiQL names a tab after its operation, so a custom title is added as the first line.
    query: title ? `# ${title}\n${query}` : query,
    variables,
    headers,
  }));
}

export function parseStoredTabs(text: string): StoredTabs | undefined {
  const value = parseJson(text);
  return isStoredTabs(value) && value.tabs.length > 0 ? value : undefined;
}

export function operationName({ query }: Tab): string | undefined {
  return query?.match(/^\s*(?:query|mutation|subscription)\s+(\w+)/m)?.[1];
}

function isStoredTabs(value: unknown): value is StoredTabs {
  return (
    isRecord(value) &&
    typeof value.activeTabIndex === 'number' &&
    Array.isArray(value.tabs) &&
    value.tabs.every(isTab)
  );
}

function isTab(value: unknown): value is Tab {
  return isRecord(value) && [value.query, value.variables, value.headers].every(isTextOrNull);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
