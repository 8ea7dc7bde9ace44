import type { Cancellation } from '../rest/cancellation.ts';
import { type Fields, mergeAll } from '../rest/fields.ts';
import { type Audience, Telling } from './audience.ts';
import type { ChangeSource, FeedOptions, Subscriber } from './change.ts';
import { EVICTED, TOO_SLOW } from './endings.ts';
import type { FeedPosition, ServiceClock } from './position.ts';
import { readChanges } from './read-changes.ts';

export interface WalkerOptions extends FeedOptions {
  readonly caller: Subscriber;
  readonly administrationId: string;
  readonly source: ChangeSource;
  readonly clock: ServiceClock;
}

interface Walked {
  /** When it started, by the service's clock. */
  readonly start: number;
  readonly walk: number;
}

/** Walks through what changed after a mark, and tells it. */
export class Walker {
  readonly #options: WalkerOptions;
  #walks = 0;

  constructor(options: WalkerOptions) {
    this.#options = options;
  }

  /**
   * Rejects unless the walk was complete, or nobody is left. `patienceMs` is how long a page waits for a reader that has
   * no room for it. `isFit` is asked when the start is known: if the walk should have begun elsewhere, nothing is told.
   */
  async walk(
    position: FeedPosition,
    audiences: readonly Audience[],
    { cancellation, patienceMs }: { readonly cancellation: Cancellation; readonly patienceMs: number },
    isFit: (start: number) => boolean = () => true,
  ): Promise<Walked> {
    const { caller, administrationId, source, clock, lookbackMs } = this.#options;
    this.#walks += 1;
    const walk = this.#walks;
    const followers = audiences.flatMap((audience) => audience.followers);
    const memory = caller.hold(() => {
      for (const { stream } of followers) stream.end(EVICTED);
    });
    try {
      const session = caller.createRest(cancellation, (bytes) => memory.add(bytes));
      const { text } = session;
      const telling = new Telling(audiences, {
        source,
        administrationId,
        text,
        walk,
        mark: position.mark,
        lookbackMs,
        owner: session.owner,
        beforeTelling: () => caller.dropCached(),
      });
      let start = position.walk?.start ?? 0;
      const fields = fieldsFor(audiences);
      for await (const page of readChanges(session, { source, administrationId, fields, position })) {
        start = page.start;
        if (position.walk === undefined) clock.set(start);
        if (!isFit(start)) return { start, walk };
        await telling.tell(page);
        // The page stays until the next one comes.
        memory.add(page.bytes - memory.amount);
        for (const counted of [...audiences, ...followers]) counted.countTold?.();
        for (const { stream } of await withoutRoom(followers, patienceMs)) stream.end(TOO_SLOW, true);
        if (followers.every(({ isGone }) => isGone)) break;
      }
      if (telling.invalid) throw telling.invalid;
      return { start, walk };
    } finally {
      memory.release();
    }
  }
}

function fieldsFor(audiences: readonly Audience[]): Fields {
  const [first, ...others] = audiences;
  // The same object each time, since URLs are remembered by it.
  return first && others.length === 0 ? first.fields : mergeAll(audiences.map(({ fields }) => fields));
}

async function withoutRoom(followers: Audience['followers'], patienceMs: number) {
  const hasRoom = await Promise.all(followers.map(({ stream }) => stream.room(patienceMs)));
  return followers.filter((_, index) => !hasRoom[index]);
}
