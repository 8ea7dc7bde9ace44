import type { GraphiqlSettings } from '../pages/graphiql.ts';
import { isObject, parseJson } from '../rest/json.ts';

/** The text of the three panes of a tab. */
export interface Tab {
  readonly query: string | null;
  readonly variables: string | null;
  readonly headers: string | null;
}

type Written = Pick<Tab, 'query'>;

export function openedTabs({ tabs, administrationId }: GraphiqlSettings, chosen: string): Tab[] {
  return tabs.map(({ query, variables }) => ({
    query,
    variables: variables && replaceAdministration(variables, administrationId, chosen),
    headers: null,
  }));
}

/** The example that a tab was opened with: the one whose operation has the same name. */
export function exampleOf<T extends Written>(tab: Written, examples: readonly T[]): T | undefined {
  const name = operationName(tab);
  return name === undefined ? undefined : examples.find((example) => operationName(example) === name);
}

/** GraphiQL's own tabs may be without variables and headers. */
export function isEdited(tab: { readonly [pane in keyof Tab]?: string | null }, example: Tab): boolean {
  return (['query', 'variables', 'headers'] as const).some(
    (pane) => (tab[pane] ?? '').trim() !== (example[pane] ?? ''),
  );
}

export function operationName({ query }: Written): string | undefined {
  return query?.match(/^[ \t]*(?:query|mutation|subscription)\s+(\w+)/m)?.[1];
}

/** Whether a document has an operation of this name. GraphiQL tells the one of a document that was there a moment ago. */
export function hasOperation(query: string, name: string): boolean {
  return new RegExp(`\\b(?:query|mutation|subscription)\\s+${name}\\b`).test(query);
}

/** A member of variables, nested in an input object too, or an argument of a query, with its value as a string. */
const MEMBER = /(\badministrationId"?\s*:\s*)("(?:[^"\\]|\\.)*")/g;

/** Replaces one administration in the text of variables. Others that a user has typed remain, and so does the layout. */
export function replaceAdministration(variables: string, from: string, to: string): string {
  return variables.replace(MEMBER, (member, name: string, value: string) =>
    parseJson(value) === from ? name + JSON.stringify(to) : member,
  );
}

/** An administration other than the chosen one, in the text of variables or of a query. */
export function otherAdministration(text: string, chosen: string): string | undefined {
  const values = Array.from(text.matchAll(MEMBER), ([, , value = '']) => parseJson(value));
  return values.filter((value) => typeof value === 'string').find((value) => value !== chosen);
}

/** The operation with the chosen administration as a variable, where it declares that and nothing else sets it. */
export function withAdministration<T extends { readonly query: string; readonly variables?: unknown }>(
  operation: T,
  chosen: string,
): T {
  const given = isObject(operation.variables) ? operation.variables : {};
  const isMissing = /\$administrationId\s*:/.test(operation.query) && !('administrationId' in given);
  if (!chosen || !isMissing) return operation;
  return { ...operation, variables: { ...given, administrationId: chosen } };
}
