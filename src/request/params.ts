import { isUtf8 } from 'node:buffer';
import { copyOf } from '../composite-key.ts';
import { badRequest } from '../http/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { ArrayEntry, OperationParams } from './context.ts';

const ARRAY = badRequest('Send one operation, as a JSON object: an array of operations is not taken here.');
const NOT_ARRAY = badRequest('The body is not a JSON array.');
const NO_ENTRIES = badRequest('The array has no operations.');
const NOT_UTF8 = badRequest('The body is not UTF-8.');
const MAX_DEPTH = 32;

export function paramsOfSearch(search: string): OperationParams {
  const { query, variables, extensions, ...others } = Object.fromEntries(new URLSearchParams(search));
  const member = (name: string, text: string | undefined) => {
    const value = parseBounded(text || 'null', `\`${name}\``);
    if (value === undefined) throw badRequest(`\`${name}\` is not JSON.`);
    return value;
  };
  return validateParams({
    ...others,
    // A document is kept, and the URL is not.
    query: query && copyOf(query),
    variables: member('variables', variables),
    extensions: member('extensions', extensions),
  });
}

export function paramsOfBody(body: Buffer): OperationParams {
  return paramsOf(parseBody(body), 'The body');
}

/** The operations of an array. One that is none is refused in its place. */
export function entriesOfBody(body: Buffer, maxEntries: number): ArrayEntry[] {
  const value = parseBody(body);
  if (!Array.isArray(value)) throw NOT_ARRAY;
  if (value.length === 0) throw NO_ENTRIES;
  if (value.length > maxEntries)
    throw badRequest(
      `The array has more than ${maxEntries} operations. Send at most ${maxEntries} in one request.`,
    );
  return value.map((entry: unknown) => {
    try {
      return { params: paramsOf(entry, 'An operation of the array') };
    } catch (refusal) {
      return { params: {}, refusal };
    }
  });
}

/** Whether JSON is an array; blanks may stand before it, and the byte order mark that some Windows libraries write. */
export function isArray(body: Buffer): boolean {
  const first = body.indexOf('[');
  return first >= 0 && body.subarray(0, first).toString('utf8').trim() === '';
}

function parseBody(body: Buffer): unknown {
  if (!isUtf8(body)) throw NOT_UTF8;
  return parseBounded(body.toString('utf8').replace(/^\uFEFF/, ''), 'The body');
}

function paramsOf(value: unknown, what: 'The body' | 'An operation of the array'): OperationParams {
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
