import { isUtf8 } from 'node:buffer';
import { badRequest } from '../http/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { OperationParams } from './context.ts';

const MAX_DEPTH = 32;

/** The members of an operation that is sent by GET. */
export function parseSearch(search: string): unknown {
  const members = Object.fromEntries(new URLSearchParams(search));
  const parsed = ['variables', 'extensions'].map((name) => {
    const value = parseBounded(members[name] || 'null', `\`${name}\``);
    if (value === undefined) throw badRequest(`\`${name}\` is not JSON.`);
    return [name, value];
  });
  return { ...members, ...Object.fromEntries(parsed) };
}

/** Parses the JSON of a body; Windows libraries may write a byte order mark before it. */
export function parseBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw badRequest('The body is not UTF-8.');
  return parseBounded(body.toString('utf8').replace(/^\uFEFF/, ''), 'The body');
}

/** The operations of an array, each to be read where it is run. */
export function entriesOf(value: readonly unknown[], maxEntries: number): readonly unknown[] {
  if (value.length === 0) throw badRequest('The array has no operations.');
  if (value.length <= maxEntries) return value;
  throw badRequest(
    `The array has more than ${maxEntries} operations. Send at most ${maxEntries} in one request.`,
  );
}

/** What is no text cannot be a document: whether there is one is checked once it is known how documents are found. */
export function paramsOf(value: unknown, what = 'The body'): OperationParams {
  if (Array.isArray(value))
    throw badRequest('Send one operation, as a JSON object: an array of operations is not taken here.');
  if (!isObject(value))
    throw badRequest(`${what} is not a JSON object such as {"query":"{ viewer { scopes } }"}.`);
  const { query, documentId } = value;
  const operationName = value.operationName ?? '';
  if (typeof operationName !== 'string') throw badRequest('`operationName` takes a string.');
  const params: OperationParams = {};
  if (typeof query === 'string') params.query = query;
  if (typeof documentId === 'string') params.documentId = documentId;
  if (operationName !== '') params.operationName = operationName;
  for (const name of ['variables', 'extensions'] as const) {
    const member = value[name] ?? undefined;
    if (isObject(member)) params[name] = member;
    else if (member !== undefined) throw badRequest(`\`${name}\` takes a JSON object.`);
  }
  return params;
}

/** Readers of what is parsed may recurse. */
function parseBounded(text: string, what: string): unknown {
  const value = parseJson(text);
  if (isDeeper(value, MAX_DEPTH)) throw badRequest(`${what} is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1));
}
