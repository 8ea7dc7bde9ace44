import { isUtf8 } from 'node:buffer';
import { copyOf } from '../composite-key.ts';
import { badRequest } from '../http/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { OperationParams } from './context.ts';

const ARRAY = badRequest('Send one operation, as a JSON object: an array of operations is not taken here.');
const NOT_UTF8 = badRequest('The body is not UTF-8.');
const MAX_DEPTH = 32;

/** The members of an operation that is sent by GET. */
export function parseSearch(search: string): unknown {
  const { query, variables, extensions, ...others } = Object.fromEntries(new URLSearchParams(search));
  const member = (name: string, text: string | undefined) => {
    const value = parseBounded(text || 'null', `\`${name}\``);
    if (value === undefined) throw badRequest(`\`${name}\` is not JSON.`);
    return value;
  };
  return {
    ...others,
    // A document is kept, and the URL is not.
    query: query && copyOf(query),
    variables: member('variables', variables),
    extensions: member('extensions', extensions),
  };
}

/** Parses the JSON of a body; Windows libraries may write a byte order mark before it. */
export function parseBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw NOT_UTF8;
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

/** The parameters of one operation. */
export function paramsOf(value: unknown, what = 'The body'): OperationParams {
  if (Array.isArray(value)) throw ARRAY;
  if (isObject(value)) return validateParams(value);
  throw badRequest(`${what} is not a JSON object such as {"query":"{ viewer { scopes } }"}.`);
}

/** Readers of what is parsed may recurse. */
function parseBounded(text: string, what: string): unknown {
  const value = parseJson(text);
  if (isDeeper(value, MAX_DEPTH)) throw badRequest(`${what} is nested more than ${MAX_DEPTH} levels deep.`);
  return value;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (Array.isArray(value)) return levels === 0 || value.some((item) => isDeeper(item, levels - 1));
  if (!isObject(value)) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeper(value[name], levels - 1)) return true;
  return false;
}

/** What is no text cannot be a document: whether there is one is checked once it is known how documents are found. */
function validateParams(members: { readonly [name: string]: unknown }): OperationParams {
  const { query, documentId } = members;
  const operationName = members.operationName ?? '';
  if (typeof operationName !== 'string') throw badRequest('`operationName` takes a string.');
  const params: OperationParams = {};
  if (typeof query === 'string') params.query = query;
  if (typeof documentId === 'string') params.documentId = documentId;
  if (operationName !== '') params.operationName = operationName;
  for (const name of ['variables', 'extensions'] as const) {
    const value = members[name] ?? undefined;
    if (isObject(value)) params[name] = value;
    else if (value !== undefined) throw badRequest(`\`${name}\` takes a JSON object.`);
  }
  return params;
}
