import type { GraphiqlSettings } from '../pages/graphiql.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { OperationRequest } from './list-argument.ts';

/** The text of the three panes of a tab. */
export interface Tab {
  readonly query: string | null;
  readonly variables: string | null;
  readonly headers: string | null;
}

/** The examples, for the chosen administration. */
export function examplesFor({ tabs, administrationId }: GraphiqlSettings, chosen: string): Tab[] {
  return tabs.map(({ query, variables }) => ({
    ...replaceAdministration({ query, variables }, administrationId, chosen),
    headers: null,
  }));
}

/** The operation's name, and what the comment says that an example starts with. */
export function describeExample({ query }: Tab): { readonly name: string; readonly comment: string } {
  const [comment = ''] = /^(#.*\n)*/.exec(query ?? '') ?? [];
  const [, name = ''] = /^(?:query|mutation|subscription)\s+(\w+)/m.exec(query ?? '') ?? [];
  return { name, comment: comment.replace(/^# */gm, '').replaceAll('\n', ' ').trim() };
}

/** What a link carries behind `#`, which browsers send to no server; undefined if that is no operation. */
export function readLink(hash: string): Tab | undefined {
  const { query, variables = '' } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return query?.trim() ? { query, variables, headers: null } : undefined;
}

/** A member of variables, nested in an input object too, or an argument of a query, with its value as a string. */
const MEMBER = /(\badministrationId"?\s*:\s*)("(?:[^"\\]|\\.)*")/g;

/** A cursor of a list, as a variable or as an argument. */
const CURSOR = /(\bafter"?\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/**
 * Replaces one administration in the variables of a tab, whose cursors are worth nothing then. Other administrations
 * that a user has typed remain, and so does the layout.
 */
export function replaceAdministration<T extends Partial<Tab>>(tab: T, from: string, to: string): T {
  const variables = tab.variables?.replace(MEMBER, (member, name: string, value: string) =>
    parseJson(value) === from ? name + JSON.stringify(to) : member,
  );
  if (!variables || variables === tab.variables) return tab;
  const without = (text: string) => text.replace(CURSOR, '$1null');
  return { ...tab, query: without(tab.query ?? ''), variables: without(variables) };
}

/** The administrations that an operation names, in its text or in variables that it uses. */
export function findAdministrations(query: string, variables: unknown): string[] {
  const given = Object.entries(isObject(variables) ? variables : {});
  const used = Object.fromEntries(given.filter(([name]) => query.includes(`$${name}`)));
  const members = `${query.replace(/#.*/g, '')} ${JSON.stringify(used)}`.matchAll(MEMBER);
  const values = Array.from(members, ([, , value = '']) => parseJson(value));
  return values.filter((value) => typeof value === 'string');
}

/** One of them that is not the chosen one. */
export function findOtherAdministration(query: string, variables: unknown, chosen: string) {
  return findAdministrations(query, variables).find((id) => id !== chosen);
}

/** The operation with the chosen administration as a variable, where it declares that and nothing else sets it. */
export function withAdministration<T extends OperationRequest>(operation: T, chosen: string): T {
  const given = operation.variables ?? {};
  const isMissing = /\$administrationId\s*:/.test(operation.query) && !('administrationId' in given);
  if (!chosen || !isMissing) return operation;
  return { ...operation, variables: { ...given, administrationId: chosen } };
}
