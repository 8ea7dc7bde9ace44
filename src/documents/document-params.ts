import { badRequest, RequestError } from '../http/request-error.ts';
import { isObject } from '../rest/json.ts';

/** The parameters of an operation that say which document to run. */
export interface DocumentParams {
  readonly query?: string;
  readonly documentId?: string;
  readonly extensions?: { readonly [name: string]: unknown };
}

/** The hash as in GraphQL over HTTP (`documentId`), or as in Apollo's `persistedQuery` extension. */
export function hashOf({ documentId, extensions }: DocumentParams): string | undefined {
  if (isHash(documentId)) return documentId;
  const { sha256Hash } = persistedQueryIn(extensions);
  return isHash(sha256Hash) ? sha256Hash : undefined;
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function persistedQueryIn(extensions: DocumentParams['extensions']): { readonly [name: string]: unknown } {
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined;
  return isObject(persisted) ? persisted : {};
}

const SHA256 = /^(?:sha256:)?([\da-f]{64})$/i;

/** The hash of an automatic persisted query. Any other, such as a SHA-1 of a build tool, is none that can be checked. */
export function registeredHash({ extensions }: DocumentParams): string | undefined {
  const { version, sha256Hash } = persistedQueryIn(extensions);
  if (version !== 1 || typeof sha256Hash !== 'string') return undefined;
  return SHA256.exec(sha256Hash)?.[1]?.toLowerCase();
}

/**
 * Throws if the text of the document is missing. Apollo's link and urql's exchange recognise these two messages: after
 * the first they send the text with the hash, after the second they send texts from then on.
 */
export function requireDocument(params: DocumentParams, hasGraphiql: boolean): void {
  if (params.query) return;
  if (registeredHash(params) !== undefined)
    throw new RequestError(400, 'PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
  if (hashOf(params) !== undefined)
    throw new RequestError(400, 'PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  const missing = '`query` is missing. Send the text of a GraphQL document, as a string.';
  throw badRequest(hasGraphiql ? `${missing} For GraphiQL, open this address in a browser.` : missing);
}
