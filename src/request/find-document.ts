import { createHash } from 'node:crypto';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { LRUCache } from 'lru-cache';
import { ConfigError } from '../config/index.ts';
import { badRequest, RequestError } from '../http/errors.ts';
import { isObject } from '../rest/json.ts';
import type { OperationParams } from './context.ts';
import { MAX_DOCUMENT_LENGTH, parseWithLimits, validateWithLimits } from './documents.ts';
import type { Exchange } from './exchange.ts';
import { parseParams } from './params.ts';
import type { GatewayState } from './state.ts';

/** Truncates hashes in messages, since clients can send any text. */
const MAX_HASH_LENGTH = 80;

/** Adds the text of a persisted document. Entries of an array are checked here, so that each has its own error. */
export function findDocument(
  params: OperationParams,
  { responseForm }: Exchange,
  { trustedDocuments, persisted }: GatewayState,
): OperationParams {
  const checked = responseForm.kind === 'array' ? parseParams(params, 'An operation of the array') : params;
  const query = trustedDocuments
    ? findTrusted(trustedDocuments, checked)
    : findOrRegister(persisted, checked);
  return query === undefined || query === checked.query ? checked : { ...checked, query };
}

/** Returns the hash of GraphQL over HTTP (`documentId`) or of Apollo's `persistedQuery` extension. */
function readHashes({ documentId, extensions }: OperationParams) {
  const { persistedQuery } = isObject(extensions) ? extensions : {};
  const { version, sha256Hash } = isObject(persistedQuery) ? persistedQuery : {};
  const sentHash = typeof sha256Hash === 'string' ? sha256Hash : '';
  const [, registered] = /^(?:sha256:)?([\da-f]{64})$/i.exec(sentHash) ?? [];
  return {
    hash: documentId || sentHash || undefined,
    /** The SHA-256 of an automatic persisted query. Other hashes, such as SHA-1 of a build tool, cannot be checked. */
    registered: version === 1 ? registered?.toLowerCase() : undefined,
  };
}

/**
 * Throws if the text of the document is missing. Apollo's link and urql's exchange match both messages: after the first,
 * they send the text with the hash; after the second, they send texts from then on.
 */
export function requireDocument(params: OperationParams): void {
  if (params.query) return;
  const { hash, registered } = readHashes(params);
  if (registered !== undefined)
    throw new RequestError(400, 'PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
  if (hash !== undefined)
    throw new RequestError(400, 'PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  throw badRequest('`query` is missing. Send the text of a GraphQL document, as a string.');
}

/**
 * Handles Apollo's automatic persisted queries, which all clients share: finds the text of a document by its SHA-256, or
 * registers the text sent with it.
 */
function findOrRegister(documents: LRUCache<string, string>, params: OperationParams): string | undefined {
  const { query } = params;
  const { registered: hash } = readHashes(params);
  if (hash === undefined) return query;
  if (!query) return documents.get(hash);
  const bytes = Buffer.from(query);
  // Text that is not valid Unicode would get the hash of another text.
  if (bytes.toString() !== query || createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new RequestError(
      400,
      'PERSISTED_QUERY_MISMATCH',
      '`extensions.persistedQuery.sha256Hash` is not the SHA-256 of `query`. Hash the text exactly as it is sent.',
    );
  // Longer documents are rejected later.
  if (query.length <= MAX_DOCUMENT_LENGTH) documents.set(hash, query);
  return query;
}

/** Ignores `query`. Never throws `PersistedQueryNotFound`, after which clients would send the text in vain. */
function findTrusted(documents: ReadonlyMap<string, string>, params: OperationParams): string {
  const { hash } = readHashes(params);
  if (hash === undefined)
    throw new RequestError(
      400,
      'TRUSTED_DOCUMENT_REQUIRED',
      'Only trusted documents can be run. Send the hash of one as `documentId`, or as ' +
        '`extensions.persistedQuery.sha256Hash`, in place of `query`.',
    );
  // Some build tools and clients add a prefix to a SHA-256.
  const unprefixed = hash.replace(/^sha256:/, '');
  const text = documents.get(hash) ?? documents.get(unprefixed) ?? documents.get(`sha256:${unprefixed}`);
  if (text !== undefined) return text;
  throw new RequestError(
    400,
    'UNKNOWN_DOCUMENT',
    `No trusted document has the hash ${JSON.stringify(hash.slice(0, MAX_HASH_LENGTH))}. ` +
      "Start the gateway with the persisted documents of this client's build (TRUSTED_DOCUMENTS).",
  );
}

/** Throws at startup if a document is invalid, since clients could not fix it. */
export function checkTrustedDocuments(schema: GraphQLSchema, documents: ReadonlyMap<string, string>): void {
  const problems: string[] = [];
  for (const [hash, text] of documents) {
    try {
      const [error] = validateWithLimits(schema, parseWithLimits(text));
      if (error) throw error;
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      problems.push(`TRUSTED_DOCUMENTS: the document ${hash.slice(0, MAX_HASH_LENGTH)}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
}
