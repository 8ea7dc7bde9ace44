import type { AnswerError } from './advice.ts';
import {
  addEntry,
  type Entry,
  eventEntry,
  KINDS,
  type Kind,
  noticeEntry,
  streamChanges,
} from './change-stream.ts';
import { credentialHeaders } from './curl.ts';
import type { Session } from './session.ts';
import { createStore } from './storage.ts';

interface FeedState {
  readonly status: 'stopped' | 'connecting' | 'connected';
  readonly note: string;
  readonly isFailure: boolean;
  /** The newest first. */
  readonly entries: readonly Entry[];
  readonly kinds: readonly Kind[];
  /** Where to go on; absent where there is nothing to go on with. */
  readonly place?: Place | undefined;
}

interface Place {
  readonly administrationId: string;
  readonly kinds: readonly Kind[];
  readonly after?: string | undefined;
}

export type ChangeFeed = ReturnType<typeof createChangeFeed>;

const LONGEST_PAUSE_MS = 30_000;
/** A stream that ends sooner counts as one that could not be opened. */
const SHORT_MS = 5_000;

/** Follows the changes of the administration that is chosen in the strip, through restarts of the gateway. */
export function createChangeFeed(endpoint: string, session: Session) {
  const { get, subscribe, put } = createStore<FeedState>({
    status: 'stopped',
    note: 'Press Start to see changes as they happen.',
    isFailure: false,
    entries: [],
    kinds: KINDS.map(([kind]) => kind),
  });
  let running: AbortController | undefined;
  let count = 0;

  function set(change: Partial<FeedState>): void {
    put({ ...get(), ...change });
  }

  function add(events: readonly unknown[], notices: readonly string[]): readonly Entry[] {
    const added = [
      ...events.map((event) => eventEntry(++count, event)),
      ...notices.map((notice) => noticeEntry(++count, notice)),
    ];
    return added.reduce((entries, entry) => (entry ? addEntry(entries, entry) : entries), get().entries);
  }

  async function run(started: Place, signal: AbortSignal): Promise<void> {
    let place = started;
    for (let failures = 0; !signal.aborted; failures += 1) {
      set({ status: 'connecting', note: 'Connecting…', isFailure: false, place });
      let openedAt = Number.POSITIVE_INFINITY;
      const ending = await streamChanges({
        endpoint,
        headers: credentialHeaders(session.get(), { Accept: 'text/event-stream' }),
        variables: place,
        signal,
        onOpen() {
          openedAt = Date.now();
          set({ status: 'connected', note: 'Connected: changes show as they happen.' });
        },
        onNews(events, notices, after = place.after) {
          place = { ...place, after };
          set({ place, entries: add(events, notices.map(inWords)) });
        },
      });
      if (signal.aborted) return;
      const { note, retryAfterMs } = ending;
      if (retryAfterMs === undefined) return end(note, true);
      if (Date.now() - openedAt > SHORT_MS) failures = 0;
      const backoff = failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures);
      const pause = Math.max(retryAfterMs, backoff);
      set({
        status: 'connecting',
        note: `${note} Connecting again${pause >= 1_000 ? ` in ${Math.round(pause / 1_000)} s` : ''}…`,
        isFailure: true,
      });
      await new Promise<void>((wake) => {
        setTimeout(wake, pause);
        signal.addEventListener('abort', () => wake(), { once: true });
      });
    }
  }

  function end(note: string, isFailure: boolean): void {
    running?.abort();
    running = undefined;
    set({ status: 'stopped', note, isFailure, ...(isFailure && { entries: add([], [note]) }) });
  }

  function begin(place: Place): void {
    running?.abort();
    running = new AbortController();
    void run(place, running.signal);
  }

  session.subscribe(() => {
    if (running && session.get().administrationId !== get().place?.administrationId)
      end('Stopped, because another administration was chosen.', false);
  });

  return {
    get,
    subscribe,
    choose: (kinds: readonly Kind[]) => set({ kinds }),
    /** Goes on where it was stopped. */
    start(): void {
      const { place, kinds } = get();
      const { administrationId } = session.get();
      const fits =
        place?.administrationId === administrationId && kinds.every((kind) => place.kinds.includes(kind));
      if (place && !fits)
        set({ entries: add([], ['Started now, for what is chosen: earlier changes are not shown.']) });
      begin(fits ? { ...place, kinds } : { administrationId, kinds });
    },
    /** Forgets what it has shown, and starts now. */
    startAnew(): void {
      set({ entries: [] });
      begin({ administrationId: session.get().administrationId, kinds: get().kinds });
    },
    stop: () => end('Stopped. Start goes on behind the last change.', false),
  };
}

function inWords({ message, extensions: { retryAfter } }: AnswerError): string {
  return typeof retryAfter === 'number' ? `${message} The gateway tries again in ${retryAfter} s.` : message;
}
