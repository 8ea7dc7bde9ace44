import { createHash } from 'node:crypto';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { ConfigError, MAX_HASH_LENGTH } from '../../config/index.ts';
import { badRequest, RequestError } from '../../http/errors.ts';
import { isAddress } from '../../limits/owner.ts';
import { isObject } from '../../rest/json.ts';
import { MAX_DOCUMENT_LENGTH, parseBounded, validateBounded } from './limits.ts';

interface DocumentParams {
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
function registeredHash({ extensions }: DocumentParams): string | undefined {
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

const MAX_BYTES = 8_000_000;
const CHARACTER_BYTES = 2;
const ENTRY_BYTES = 300;
const OWNER_BYTES = 500;
/** What an owner has not used for so long is dropped. */
const IDLE_MS = 3_600_000;

interface Owned {
  /** Texts by their hashes, the least recently used first. */
  readonly texts: Map<string, string>;
  bytes: number;
  usedAt: number;
}

/**
 * Documents that clients have registered by their SHA-256 (Apollo's automatic persisted queries). An owner finds only
 * what it has registered itself, and makes room only by dropping what is its own: it may hold as much as is free, so
 * that there is always some room for others.
 */
export class PersistedDocuments {
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** The one that was idle longest first. */
  readonly #owners = new Map<string, Owned>();
  #bytes = 0;
  #entries = 0;

  constructor(maxBytes = MAX_BYTES, now: () => number = () => performance.now()) {
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  get size() {
    return { bytes: this.#bytes, entries: this.#entries };
  }

  find(owner: string, hash: string): string | undefined {
    const owned = this.#owners.get(owner);
    if (owned === undefined) return undefined;
    owned.usedAt = this.#now();
    moveToEnd(this.#owners, owner, owned);
    const text = owned.texts.get(hash);
    if (text !== undefined) moveToEnd(owned.texts, hash, text);
    return text;
  }

  /** Keeps a document, if it fits into what its owner may hold. */
  add(owner: string, hash: string, text: string): void {
    // Longer documents are refused anyway.
    if (text.length > MAX_DOCUMENT_LENGTH || this.find(owner, hash) !== undefined) return;
    this.#dropIdle();
    let owned = this.#owners.get(owner);
    if (owned === undefined) {
      owned = { texts: new Map(), bytes: 0, usedAt: this.#now() };
      this.#owners.set(owner, owned);
      this.#count(owned, OWNER_BYTES, 0);
    }
    const { texts } = owned;
    const bytes = bytesOf(text);
    const free = () => this.#maxBytes - this.#bytes - bytes;
    // Strangers may have any number of addresses: those give way to credentials that the service has accepted.
    for (const [other, its] of isAddress(owner) ? [] : this.#owners) {
      if (owned.bytes <= free()) break;
      if (isAddress(other)) this.#drop(other, its);
    }
    for (const [oldest, dropped] of texts) {
      if (owned.bytes <= free()) break;
      texts.delete(oldest);
      this.#count(owned, -bytesOf(dropped), -1);
    }
    if (owned.bytes <= free()) {
      texts.set(hash, text);
      this.#count(owned, bytes, 1);
    }
    if (texts.size === 0) this.#drop(owner, owned);
  }

  #count(owned: Owned, bytes: number, entries: number): void {
    owned.bytes += bytes;
    this.#bytes += bytes;
    this.#entries += entries;
  }

  #dropIdle(): void {
    for (const [owner, owned] of this.#owners) {
      if (this.#now() - owned.usedAt <= IDLE_MS) return;
      this.#drop(owner, owned);
    }
  }

  #drop(owner: string, owned: Owned): void {
    this.#owners.delete(owner);
    this.#count(owned, -owned.bytes, -owned.texts.size);
  }
}

function bytesOf(text: string): number {
  return ENTRY_BYTES + text.length * CHARACTER_BYTES;
}

function moveToEnd<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

const MISMATCH = new RequestError(
  400,
  'PERSISTED_QUERY_MISMATCH',
  '`extensions.persistedQuery.sha256Hash` is not the SHA-256 of `query`. Hash the text exactly as it is sent.',
);

/** Finds the text of a document by its hash, or registers the text that came with it; undefined if there is none. */
export function findOrRegister(
  documents: PersistedDocuments,
  owner: string,
  params: DocumentParams,
): string | undefined {
  const { query } = params;
  const hash = registeredHash(params);
  if (hash === undefined) return query;
  if (!query) return documents.find(owner, hash);
  const bytes = Buffer.from(query);
  // A copy, which keeps nothing of the request alive. Text that UTF-8 cannot hold would have the hash of another one.
  const text = bytes.toString();
  if (text !== query || createHash('sha256').update(bytes).digest('hex') !== hash) throw MISMATCH;
  documents.add(owner, hash, text);
  return query;
}

/** `query` is ignored. Not `PersistedQueryNotFound`: clients would send the text, and report a second error instead. */
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
