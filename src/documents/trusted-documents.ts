import { GraphQLError, type GraphQLSchema } from 'graphql';
import { ConfigError, MAX_HASH_LENGTH } from '../config/index.ts';
import { badRequest, RequestError } from '../http/request-error.ts';
import { isObject } from '../rest/json.ts';
import { parseBounded, validateBounded } from './limits.ts';

/** The parameters of an operation that say which document to run. */
interface DocumentParams {
  readonly query?: string;
  readonly documentId?: string;
  readonly extensions?: { readonly [name: string]: unknown };
}

/** Throws if the text of the document is missing. */
export function requireDocument(params: DocumentParams): void {
  if (params.query) return;
  // Apollo's link and urql's exchange recognise this exact message, and then send the text instead of the hash.
  if (hashOf(params) !== undefined)
    throw new RequestError(400, 'PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  throw badRequest('`query` takes a document, as a string.');
}

/**
 * The text of the document with the requested hash; `query` is ignored. The messages are not `PersistedQueryNotFound`,
 * since clients would retry with the text and report the second error instead.
 */
export function findTrusted(documents: ReadonlyMap<string, string>, params: DocumentParams): string {
  const hash = hashOf(params);
  if (hash === undefined) {
    throw new RequestError(
      400,
      'TRUSTED_DOCUMENT_REQUIRED',
      'Only known documents are run here. Send the hash of one as `documentId`, or as ' +
        '`extensions.persistedQuery.sha256Hash`, in place of `query`.',
    );
  }
  const text = documents.get(hash) ?? documents.get(togglePrefix(hash));
  if (text !== undefined) return text;
  throw new RequestError(
    400,
    'UNKNOWN_DOCUMENT',
    `No known document has the hash ${JSON.stringify(hash.slice(0, MAX_HASH_LENGTH))}. ` +
      "Start the gateway with the persisted documents of this client's build (TRUSTED_DOCUMENTS).",
  );
}

/** The hash as in GraphQL over HTTP (`documentId`), or as in Apollo's `persistedQuery` extension. */
function hashOf({ documentId, extensions }: DocumentParams): string | undefined {
  if (isHash(documentId)) return documentId;
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined;
  return isObject(persisted) && isHash(persisted.sha256Hash) ? persisted.sha256Hash : undefined;
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

const PREFIX = 'sha256:';

/** Build tools and clients differ in whether they prefix a SHA-256. */
function togglePrefix(hash: string): string {
  return hash.startsWith(PREFIX) ? hash.slice(PREFIX.length) : PREFIX + hash;
}

/** Throws at startup if a document could never be executed, since clients could do nothing about it. */
export function checkTrustedDocuments(schema: GraphQLSchema, documents: ReadonlyMap<string, string>): void {
  const faults: string[] = [];
  for (const [hash, text] of documents) {
    const fault = findFault(schema, text);
    if (fault !== undefined)
      faults.push(`TRUSTED_DOCUMENTS: the document ${hash.slice(0, MAX_HASH_LENGTH)}: ${fault}`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function findFault(schema: GraphQLSchema, text: string): string | undefined {
  try {
    const [error] = validateBounded(schema, parseBounded(text));
    return error?.message;
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}
