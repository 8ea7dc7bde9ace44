import { LONGEST_HASH } from '../config.ts';
import { isObject } from '../rest/json.ts';
import { type FindDocument, type Members, Refusal } from './operation.ts';

/** Runs any document, from its text. */
export const takeText: FindDocument = (members) => {
  const { query } = members;
  if (typeof query === 'string' && query !== '') return query;
  // In just these words, which make Apollo's link and urql's exchange send the text, now and from now on.
  if (hashIn(members) !== undefined)
    throw new Refusal(400, 'PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  throw new Refusal(400, 'BAD_REQUEST', '`query` takes a document, as a string.');
};

/**
 * Runs the given documents alone, by their hashes; a text that comes along is not looked at. The refusals are not
 * worded `PersistedQueryNotFound`: clients would try again with the text, and show the second refusal instead.
 */
export function takeTrusted(documents: ReadonlyMap<string, string>): FindDocument {
  return (members) => {
    const hash = hashIn(members);
    if (hash === undefined) {
      throw new Refusal(
        400,
        'TRUSTED_DOCUMENT_REQUIRED',
        'Only known documents are run here. Send the hash of one as `documentId`, or as ' +
          '`extensions.persistedQuery.sha256Hash`, in place of `query`.',
      );
    }
    const text = documents.get(hash) ?? documents.get(otherSpelling(hash));
    if (text !== undefined) return text;
    throw new Refusal(
      400,
      'UNKNOWN_DOCUMENT',
      `No known document has the hash ${JSON.stringify(hash.slice(0, LONGEST_HASH))}. ` +
        "Start the gateway with the persisted documents of this client's build (TRUSTED_DOCUMENTS).",
    );
  };
}

/** As GraphQL over HTTP spells it, or as Apollo does. */
function hashIn({ documentId, extensions }: Members): string | undefined {
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
