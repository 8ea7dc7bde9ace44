import { GraphQLError, type GraphQLSchema } from 'graphql';
import { ConfigError, MAX_HASH_LENGTH } from '../config/index.ts';
import { RequestError } from '../http/request-error.ts';
import { type DocumentParams, hashOf } from './document-params.ts';
import { parseBounded, validateBounded } from './limits.ts';

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
