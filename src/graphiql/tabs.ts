import type { GraphiqlSettings } from '../pages/graphiql.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { OperationRequest } from './list-argument.ts';

/** The texts of a tab's three editors. */
export interface Tab {
  readonly query: string | null;
  readonly variables: string | null;
  readonly headers: string | null;
}

/** Returns the examples for the chosen administration. */
export function getExamples({ tabs, administrationId }: GraphiqlSettings, chosen: string): Tab[] {
  return tabs.map(({ query, variables }) => ({
    ...replaceAdministration({ query, variables }, administrationId, chosen),
    headers: null,
  }));
}

/** Returns the operation's name, and the comment at the start of an example. */
export function describeExample({ query }: Tab): { readonly name: string; readonly comment: string } {
  const [comment = ''] = /^(#.*\n)*/.exec(query ?? '') ?? [];
  const [, name = ''] = /^(?:query|mutation|subscription)\s+(\w+)/m.exec(query ?? '') ?? [];
  return { name, comment: comment.replace(/^# */gm, '').replaceAll('\n', ' ').trim() };
}

/** Reads the operation after `#` in a link, which browsers send to no server; undefined if there is none. */
export function readLink(hash: string): Tab | undefined {
  const { query, variables = '' } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return query?.trim() ? { query, variables, headers: null } : undefined;
}

/** Matches an argument, a variable or a member of an input object, with its string value. */
const ADMINISTRATION = /(\badministrationId"?\s*:\s*)("(?:[^"\\]|\\.)*")/g;

/** Matches the cursor of a list as a variable or an argument. */
const CURSOR = /(\bafter"?\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/**
 * Replaces one administration in the variables of a tab and removes its cursors, which belong to the old one. Keeps the
 * layout and any other administration.
 */
export function replaceAdministration<T extends Partial<Tab>>(tab: T, from: string, to: string): T {
  const variables = tab.variables?.replace(ADMINISTRATION, (member, name: string, value: string) =>
    parseJson(value) === from ? name + JSON.stringify(to) : member,
  );
  if (!variables || variables === tab.variables) return tab;
  const withoutCursors = (text: string) => text.replace(CURSOR, '$1null');
  return { ...tab, query: withoutCursors(tab.query ?? ''), variables: withoutCursors(variables) };
}

/** Returns the administrations that an operation names in its text, or in variables that it uses. */
export function findAdministrations(query: string, variables: unknown): string[] {
  const entries = Object.entries(isObject(variables) ? variables : {});
  const used = Object.fromEntries(entries.filter(([name]) => query.includes(`$${name}`)));
  const members = `${query.replace(/#.*/g, '')} ${JSON.stringify(used)}`.matchAll(ADMINISTRATION);
  const values = Array.from(members, ([, , value = '']) => parseJson(value));
  return [...new Set(values.filter((value) => typeof value === 'string').filter(Boolean))];
}

/** Returns the administrations of an operation in words; undefined if it names only the chosen one, or none. */
export function describeOtherAdministrations(query: string, variables: unknown, chosen: string) {
  const ids = findAdministrations(query, variables);
  if (ids.every((id) => id === chosen)) return undefined;
  return `${ids.length > 1 ? 'administrations' : 'administration'} ${ids.join(' and ')}`;
}

/** Sets the variable `$administrationId` to the chosen administration if the operation declares it without a value. */
export function withAdministration<T extends OperationRequest>(operation: T, chosen: string): T {
  const variables = operation.variables ?? {};
  const isMissing = /\$administrationId\s*:/.test(operation.query) && !('administrationId' in variables);
  if (!chosen || !isMissing) return operation;
  return { ...operation, variables: { ...variables, administrationId: chosen } };
}
