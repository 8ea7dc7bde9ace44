import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { RestResponse } from './attempt.ts';
import { createEntries, NOWHERE, type Place } from './entries.ts';
import { Flights } from './flights.ts';
import { createOwners } from './owner.ts';
import type { Page, Row } from './resource.ts';

/**
 * What a credential has read between two of its writes, as a call sees it that is sent now. What the call brings is
 * written here however late it comes: after a write nobody looks here any more.
 */
export interface Generation {
  at(key: string): Place;
  /** Names the generation; holds no credential. */
  readonly name: string;
  /** Calls under way: those that were sent in one generation are not joined in the next. */
  readonly pages: Flights<SentPage>;
  readonly introspections: Flights<RestResponse>;
}

/** A page with the generation in which it was asked for: all that is cached because of it goes there. */
export interface SentPage {
  readonly page: Page<Row>;
  readonly generation: Generation;
}

/** What one credential has read lately, and is reading now. No other credential sees any of it. */
export interface Memory {
  /** To be taken before a call is sent: nothing that the call brings gets into the cache in another way. */
  generation(): Generation;
  /** Names what is remembered as it is now: it has another name once any of it is forgotten or read anew. */
  edition(): string;
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

interface State extends Pick<Generation, 'pages' | 'introspections'> {
  readonly number: number;
  edition: number;
}

const MAX_BYTES = 32_000_000;
const MOST_CREDENTIALS = 20_000;

/** With a `ttlMs` of 0 nothing is remembered, but calls under way are still shared. */
export function createMemories(ttlMs: number, maxBytes = MAX_BYTES): Memories {
  // A key may show in a heap dump or a crash report, so it holds no credential: only a keyed hash of one.
  const secret = randomBytes(32);
  const entries = createEntries(ttlMs, maxBytes);
  let lastTurn = 0;

  // To forget is to start a new generation: entries of the old one are never asked for again, and fall out. To read
  // something anew is to start a new edition: the entries stay, and only what was made of them falls out.
  const generations = new LRUCache<string, State>({ max: MOST_CREDENTIALS });
  let lastGeneration = 0;
  const owners = createOwners();
  const tokens = new Flights<RestResponse>({ lasting: true });

  function nextGeneration(credential: string): State {
    lastGeneration += 1;
    const state: State = {
      number: lastGeneration,
      edition: 1,
      pages: new Flights(),
      introspections: new Flights(),
    };
    generations.set(credential, state);
    return state;
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
    shared(name) {
      lastTurn += 1;
      return ttlMs === 0 ? NOWHERE : entries.place({ name, turn: lastTurn });
    },
  };

  function hash(text: string): string {
    return createHmac('sha256', secret).update(text).digest('base64');
  }

  function generationOf(credential: string, state: State, turn: number): Generation {
    const name = `${credential} ${state.number}`;
    const { pages, introspections } = state;
    const isCurrent = () => generations.peek(credential) === state;
    const onReplace = () => {
      state.edition += 1;
    };
    return {
      at: (key) =>
        ttlMs === 0 ? NOWHERE : entries.place({ name: `${name} ${key}`, turn, isCurrent, onReplace }),
      name,
      pages,
      introspections,
    };
  }

  function memoryOf(authorization: string): Memory {
    const credential = hash(authorization);
    const stateOf = () => generations.get(credential) ?? nextGeneration(credential);
    return {
      generation() {
        lastTurn += 1;
        return generationOf(credential, stateOf(), lastTurn);
      },
      edition() {
        const { number, edition } = stateOf();
        return `${credential} ${number} ${edition}`;
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
