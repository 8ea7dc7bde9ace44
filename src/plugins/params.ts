import type { GraphQLParams } from 'graphql-yoga';
import { badRequest } from '../http/request-error.ts';
import { isObject, parseJson } from '../rest/json.ts';
import { jsonSize } from './json-size.ts';

/** The parameters of an operation. `documentId` names a document in place of `query`. */
export interface OperationParams extends GraphQLParams {
  documentId?: string;
}

export interface ReceivedParams {
  readonly params: OperationParams;
  /** The memory that they take. */
  readonly bytes: number;
}

/** Of GraphQL over HTTP, as a client may have sent them. */
interface Members {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
}

/** The parameters of a GET. */
export function paramsOfSearch(search: string): ReceivedParams {
  const parameters = new URLSearchParams(search);
  let bytes = search.length;
  const member = (name: string) => {
    const parsed = parseBounded(parameters.get(name) || 'null', `\`${name}\``);
    if (parsed.value === undefined) throw badRequest(`\`${name}\` is not JSON.`);
    bytes += parsed.bytes;
    return parsed.value;
  };
  const params = validateParams({
    query: parameters.get('query'),
    documentId: parameters.get('documentId'),
    variables: member('variables'),
    operationName: parameters.get('operationName'),
    extensions: member('extensions'),
  });
  return { params, bytes };
}

/** The parameters of a POST, or of one of the operations in its array. */
export function paramsOfBody(text: string, what: 'The body' | 'An operation of the array'): ReceivedParams {
  // Some Windows editors and libraries write a byte order mark.
  const { value, bytes } = parseBounded(text.startsWith('\uFEFF') ? text.slice(1) : text, what);
  if (Array.isArray(value)) throw ARRAY;
  if (!isObject(value))
    throw badRequest(`${what} is not a JSON object such as {"query":"{ viewer { scopes } }"}.`);
  return { params: validateParams(value), bytes };
}

const ARRAY = badRequest('Send one operation, as a JSON object: an array of operations is not taken here.');

function parseBounded(text: string, what: string) {
  const { violation, bytes } = jsonSize(text);
  if (violation !== undefined) throw badRequest(`${what} ${violation}.`);
  return { value: parseJson(text), bytes };
}

/** What is no text cannot be a document: whether there is one is checked once it is known how documents are found. */
function validateParams(members: Members): OperationParams {
  const { query, documentId, variables, operationName, extensions } = members;
  const params: OperationParams = {};
  if (typeof query === 'string') params.query = query;
  if (typeof documentId === 'string') params.documentId = documentId;
  if (isObject(variables)) params.variables = variables;
  else if (!isAbsent(variables)) throw badRequest('`variables` takes a JSON object.');
  if (typeof operationName !== 'string') {
    if (!isAbsent(operationName)) throw badRequest('`operationName` takes a string.');
  } else if (operationName !== '') params.operationName = operationName;
  if (isObject(extensions)) params.extensions = extensions;
  else if (!isAbsent(extensions)) throw badRequest('`extensions` takes a JSON object.');
  return params;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
