import { GraphQLError, type GraphQLSchema } from 'graphql';
import { ConfigError, MAX_HASH_LENGTH } from '../../config.ts';
import { isObject } from '../../rest/json.ts';
import { requestError } from '../errors.ts';
import type { OperationParams } from '../request.ts';
import { parseBounded, validateBounded } from './limits.ts';

/** The text of the document that a request asks for; throws where it may not run. */
export type FindDocument = (params: OperationParams) => string;

/** Any document, by its text. */
export const findByText: FindDocument = (params) => {
  const { query } = params;
  if (typeof query === 'string' && query !== '') return query;
  // In just these words, which make Apollo's link and urql's exchange send the text, now and from now on.
  if (hashIn(params) !== undefined)
    throw requestError(400, 'PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  throw requestError(400, 'BAD_REQUEST', '`query` takes a document, as a string.');
};

/**
 * The given documents alone, by their hashes; a text that is sent along is ignored. The errors are not worded
 * `PersistedQueryNotFound`: clients would try again with the text, and show the second error instead.
 */
export function findTrusted(documents: ReadonlyMap<string, string>): FindDocument {
  return (params) => {
    const hash = hashIn(params);
    if (hash === undefined) {
      throw requestError(
        400,
        'TRUSTED_DOCUMENT_REQUIRED',
        'Only known documents are run here. Send the hash of one as `documentId`, or as ' +
          '`extensions.persistedQuery.sha256Hash`, in place of `query`.',
      );
    }
    const text = documents.get(hash) ?? documents.get(otherSpelling(hash));
    if (text !== undefined) return text;
    throw requestError(
      400,
      'UNKNOWN_DOCUMENT',
      `No known document has the hash ${JSON.stringify(hash.slice(0, MAX_HASH_LENGTH))}. ` +
        "Start the gateway with the persisted documents of this client's build (TRUSTED_DOCUMENTS).",
    );
  };
}

/** As GraphQL over HTTP spells it, or as Apollo does. */
function hashIn({ documentId, extensions }: OperationParams): string | undefined {
  if (isHash(documentId)) return documentId;
  const persisted = isObject(extensions) ? extensions.persistedQuery : undefined;
  return isObject(persisted) && isHash(persisted.sha256Hash) ? persisted.sha256Hash : undefined;
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

const PREFIX = 'sha256:';

/** Builds write a SHA-256 with its prefix, and some clients send it without; or the reverse. */
function otherSpelling(hash: string): string {
  return hash.startsWith(PREFIX) ? hash.slice(PREFIX.length) : PREFIX + hash;
}

/** Stops the start where a document could never be answered: a client that sends its hash could do nothing about it. */
export function checkTrustedDocuments(schema: GraphQLSchema, documents: ReadonlyMap<string, string>): void {
  const faults: string[] = [];
  for (const [hash, text] of documents) {
    const fault = faultIn(schema, text);
    if (fault !== undefined)
      faults.push(`TRUSTED_DOCUMENTS: the document ${hash.slice(0, MAX_HASH_LENGTH)}: ${fault}`);
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function faultIn(schema: GraphQLSchema, text: string): string | undefined {
  try {
    const [error] = validateBounded(schema, parseBounded(text));
    return error?.message;
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}
