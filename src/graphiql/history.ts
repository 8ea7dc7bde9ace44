import { isObject, parseJson } from '../rest/json.ts';
import { type OperationText, withoutSecrets } from './curl.ts';
import { createStore, type PageStorage } from './storage.ts';
import { operationName } from './tabs.ts';

/** An operation that was run. Headers are no part of it. */
export interface PastRun extends OperationText {
  /** When it was run last, in milliseconds. */
  readonly time: number;
}

export type RunHistory = ReturnType<typeof createHistory>;

const KEY = 'graphiql:history';
const MAX_RUNS = 50;
/** Of all queries and variables together: browsers give a site about five million. */
const MAX_CHARACTERS = 500_000;
/** One that is longer is not kept: it would push out all others. */
const MAX_CHARACTERS_OF_RUN = 100_000;

/** The operations that were run, the newest first, kept in the browser. */
export function createHistory(browser: PageStorage, now: () => number = Date.now) {
  const { get, subscribe, put } = createStore(readRuns(browser));

  function store(changed: readonly PastRun[]): void {
    const kept = withinBounds(changed);
    try {
      browser.setItem(KEY, JSON.stringify(kept));
    } catch {
      // The storage is full: what does not fit is gone with this page.
    }
    put(kept);
  }

  function without(run: PastRun): readonly PastRun[] {
    return readRuns(browser).filter((other) => keyOf(other) !== keyOf(run));
  }

  return {
    get,
    subscribe,
    /** Adds an operation, without the secrets in it. One that was run before moves to the front. */
    add(text: OperationText, secrets: readonly string[]): void {
      const run = { ...withoutSecrets(text, secrets), time: now() };
      store([run, ...without(run)]);
    },
    remove: (run: PastRun) => store(without(run)),
    clear: () => store([]),
    /** Reads what is stored: another window of this page may have changed it. */
    load: () => put(readRuns(browser)),
  };
}

/** Whether a text contains all words of a search, in whatever place. */
export function hasWords(text: string, search: string): boolean {
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));
}

/** What a run is called in a list: its operation, or else its text without comments. */
export function titleOf(run: PastRun): string {
  const name = run.operationName ?? operationName(run);
  if (name) return name;
  const text = run.query.replace(/#.*/g, '').replace(/\s+/g, ' ').trim();
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** The same for runs of the same operation. */
export function keyOf({ query, variables, operationName }: PastRun): string {
  return JSON.stringify([query, variables, operationName]);
}

function withinBounds(runs: readonly PastRun[]): readonly PastRun[] {
  const sizeOf = ({ query, variables }: PastRun) => query.length + variables.length;
  let characters = 0;
  return runs
    .filter((run) => sizeOf(run) <= MAX_CHARACTERS_OF_RUN)
    .slice(0, MAX_RUNS)
    .filter((run) => {
      characters += sizeOf(run);
      return characters <= MAX_CHARACTERS;
    });
}

function readRuns(browser: PageStorage): readonly PastRun[] {
  const stored = parseJson(browser.getItem(KEY) ?? '');
  return Array.isArray(stored) ? withinBounds(stored.filter(isRun)) : [];
}

function isRun(value: unknown): value is PastRun {
  return (
    isObject(value) &&
    typeof value.query === 'string' &&
    typeof value.variables === 'string' &&
    typeof value.time === 'number' &&
    ['string', 'undefined'].includes(typeof value.operationName)
  );
}
