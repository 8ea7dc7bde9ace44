import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RestResponse } from './attempt.ts';
import type { Fields } from './fields.ts';
import { Flights } from './flights.ts';
import { createOwners } from './owner.ts';
import type { Page, Row } from './resource.ts';

/** Something that was read: a page, or a record (null where there is none), with the fields it holds. */
export interface Known {
  readonly fields: Fields;
  readonly bytes: number;
  readonly page?: Page<Row>;
  readonly record?: Row | null;
  /** Or something that was made of all that is remembered. */
  readonly made?: unknown;
}

/** A place as it is now: what is remembered there after `forget` is not found again. */
export interface Place {
  /** What it holds, and until when that may be shown again, by `performance.now()`. */
  readonly known: (Known & { readonly until: number }) | undefined;
  remember(known: Known, until?: number): void;
}

/** What one credential has read lately, and is reading now. No other credential sees any of it. */
export interface Memory {
  at(key: string): Place;
  /** Names what is remembered as it is now: it has another name once any of it is forgotten or read anew. */
  edition(): string;
  /** Pages under way: those that were asked for before it forgot are not joined after. */
  readonly pages: Flights<Page<Row>>;
  readonly tokens: Flights<RestResponse>;
  /** A name for a secret that this credential sends, whatever it has forgotten. */
  nameSecret(text: string): string;
  forget(): void;
  /** Whom the credential's share of what is limited is counted for, where it comes from this address. */
  owner(address: string | undefined): string;
  /** The service has accepted the credential. */
  accepted(): void;
  /** The service does not know the credential, or no longer. */
  refused(): void;
}

export interface Memories {
  /** Whether anything is kept at all. */
  readonly isKept: boolean;
  of(authorization: string): Memory;
  /** A place for what is made of several memories, under a name that holds their editions. */
  shared(name: string): Place;
}

interface Generation {
  readonly number: number;
  edition: number;
  readonly pages: Flights<Page<Row>>;
}

const MAX_BYTES = 32_000_000;
const MOST_CREDENTIALS = 20_000;
const SWEEP_MS = 1_000;
/** What an entry takes beside what it holds. */
const ENTRY_BYTES = 400;

/** With a `ttlMs` of 0 nothing is remembered, but calls under way are still shared. */
export function createMemories(ttlMs: number, maxBytes = MAX_BYTES): Memories {
  // A key may show in a heap dump or a crash report, so it holds no credential: only a keyed hash of one.
  const secret = randomBytes(32);
  const entries = new LRUCache<string, NonNullable<Place['known']>>({
    maxSize: maxBytes,
    sizeCalculation: ({ bytes }, key) => bytes + key.length + ENTRY_BYTES,
    ttl: Math.max(1, ttlMs),
  });
  // What is out of date is not shown, but would take room until it is pushed out: so it is swept, while there is any.
  let sweeping = false;
  function sweepLater(): void {
    if (sweeping) return;
    sweeping = true;
    setTimeout(() => {
      sweeping = false;
      entries.purgeStale();
      if (entries.size > 0) sweepLater();
    }, ttlMs + SWEEP_MS).unref();
  }

  function placeOf(name: string, replaced?: () => void): Place {
    if (ttlMs === 0) return NOWHERE;
    return {
      known: entries.get(name),
      remember(known, until = performance.now() + ttlMs) {
        const ttl = until - performance.now();
        if (ttl <= 0) return;
        if (replaced && entries.has(name)) replaced();
        entries.set(name, { ...known, until }, { ttl });
        sweepLater();
      },
    };
  }

  // To forget is to start a new generation: entries of the old one are never asked for again, and fall out. To read
  // something anew is to start a new edition: the entries stay, and only what was made of them falls out.
  const generations = new LRUCache<string, Generation>({ max: MOST_CREDENTIALS });
  let lastGeneration = 0;
  const owners = createOwners();
  const tokens = new Flights<RestResponse>({ lasting: true });

  function nextGeneration(credential: string): Generation {
    lastGeneration += 1;
    const generation = { number: lastGeneration, edition: 1, pages: new Flights<Page<Row>>() };
    generations.set(credential, generation);
    return generation;
  }

  // Hashing takes longer than all else here, so those who came lately are known: each in the one slot where it may
  // stand, which a few characters of its credential give.
  const lately: { readonly authorization: string; readonly memory: Memory }[] = [];

  return {
    isKept: ttlMs > 0,
    of(authorization) {
      const slot = slotOf(authorization);
      const known = lately[slot];
      if (known?.authorization === authorization) return known.memory;
      const memory = memoryOf(authorization);
      lately[slot] = { authorization, memory };
      return memory;
    },
    shared: (name) => placeOf(name),
  };

  function hash(text: string): string {
    return createHmac('sha256', secret).update(text).digest('base64');
  }

  function memoryOf(authorization: string): Memory {
    const credential = hash(authorization);
    const generation = () => generations.get(credential) ?? nextGeneration(credential);
    const nameOf = (key: string) => `${credential} ${generation().number} ${key}`;
    const replaced = () => {
      generation().edition += 1;
    };
    return {
      at: (key) => placeOf(ttlMs === 0 ? '' : nameOf(key), replaced),
      edition() {
        const { number, edition } = generation();
        return `${credential} ${number} ${edition}`;
      },
      get pages() {
        return generation().pages;
      },
      tokens,
      nameSecret: (text) => `${credential} ${hash(text)}`,
      forget: () => void nextGeneration(credential),
      owner: (address) => owners.of(credential, address),
      accepted: () => owners.accept(credential),
      refused: () => owners.refuse(credential),
    };
  }
}

function slotOf(authorization: string): number {
  const { length } = authorization;
  let sum = length;
  for (let index = Math.max(0, length - 8); index < length; index += 1) {
    sum = (sum * 31 + authorization.charCodeAt(index)) & 0xff;
  }
  return sum;
}

/** Where nothing is remembered. */
const NOWHERE: Place = { known: undefined, remember() {} };
