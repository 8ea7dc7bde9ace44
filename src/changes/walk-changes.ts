import { shortKey } from '../composite-key.ts';
import { isSliceOver, nextSlice } from '../limits/time-slice.ts';
import type { Cancellation } from '../rest/cancellation.ts';
import { type Fields, mergeAll, unionOf } from '../rest/fields.ts';
import { valueBytes } from '../rest/json.ts';
import { isRow } from '../rest/page-body.ts';
import type { Row } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';
import { isText } from '../rest/wire-text.ts';
import {
  type ChangeSource,
  contentHash,
  eventIdOf,
  type FeedOptions,
  type Subscriber,
  stampFields,
} from './change.ts';
import { EVICTED, TOO_SLOW } from './endings.ts';
import type { Follower, SentContents } from './follower.ts';
import type { FeedPosition, ServiceClock } from './position.ts';
import { type ChangedPage, readChanges } from './read-changes.ts';

/** Followers with one selection. */
export interface Audience {
  readonly fields: Fields;
  /** What all of them were sent: what is new for one is new for all. Absent if each has its own. */
  readonly sent?: SentContents;
  readonly followers: readonly Follower[];
}

/** Whose changes of what are read. */
export interface WalkOptions extends FeedOptions {
  readonly caller: Subscriber;
  readonly administrationId: string;
  readonly source: ChangeSource;
  readonly clock: ServiceClock;
}

let walks = 0;

/**
 * Walks once through what changed after a mark, and sends it. Rejects unless the walk was complete, or nobody is left.
 * `patienceMs` is how long a page waits for a reader that has no room for it. `isFit` is asked when the start is known:
 * if the walk should have begun elsewhere, nothing is sent. Returns when it started, by the service's clock, and its
 * number.
 */
export async function walkChanges(
  options: WalkOptions,
  position: FeedPosition,
  audiences: readonly Audience[],
  { cancellation, patienceMs }: { readonly cancellation: Cancellation; readonly patienceMs: number },
  isFit: (start: number) => boolean = () => true,
): Promise<{ readonly start: number; readonly walk: number }> {
  const { caller, administrationId, source, clock } = options;
  walks += 1;
  const walk = walks;
  const followers = audiences.flatMap((audience) => audience.followers);
  const memory = caller.hold(() => {
    for (const { stream } of followers) stream.end(EVICTED);
  });
  try {
    const session = caller.createRest(cancellation, (bytes) => memory.add(bytes));
    const delivery = new ChangeDelivery(audiences, { ...options, session, walk, mark: position.mark });
    let start = position.walk?.start ?? 0;
    const fields = fieldsFor(audiences);
    for await (const page of readChanges(session, { source, administrationId, fields, position })) {
      start = page.start;
      if (position.walk === undefined) clock.set(start);
      if (!isFit(start)) return { start, walk };
      await delivery.send(page);
      // The page stays until the next one comes.
      memory.add(page.bytes - memory.amount);
      for (const { sent } of [...audiences, ...followers]) sent?.count();
      const hasRoom = await Promise.all(followers.map(({ stream }) => stream.room(patienceMs)));
      for (const [index, { stream }] of followers.entries()) if (!hasRoom[index]) stream.end(TOO_SLOW, true);
      if (followers.every(({ isGone }) => isGone)) break;
    }
    if (delivery.invalid) throw delivery.invalid;
    return { start, walk };
  } finally {
    memory.release();
  }
}

function fieldsFor(audiences: readonly Audience[]): Fields {
  const [first, ...others] = audiences;
  // The same object each time, since URLs are remembered by it.
  return first && others.length === 0 ? first.fields : mergeAll(audiences.map(({ fields }) => fields));
}

interface DeliveryOptions extends Pick<WalkOptions, 'source' | 'administrationId' | 'lookbackMs'> {
  readonly caller: Pick<Subscriber, 'dropCached'>;
  readonly session: Pick<RestSession, 'text' | 'owner'>;
  /** The number of the walk, and where it started from. */
  readonly walk: number;
  readonly mark: number;
}

/** A row that was read, and where a stream is behind it. */
interface ChangedRow {
  readonly row: Row;
  readonly id: string;
  /** Of what is remembered of it. */
  readonly key: string;
  /** When it changed; not a number if it does not say so. */
  readonly stamp: number;
  readonly position: FeedPosition;
  /** What it takes in memory, if it is sent. */
  bytes: number;
}

/** A change that one stream has not been sent. */
interface News {
  readonly follower: Follower;
  readonly changed: ChangedRow;
  readonly eventId: string;
}

/** Events between two looks at the clock. */
const SLICED = 50;

/** Sends the rows of one walk, page by page, to those for whom they are new. */
export class ChangeDelivery {
  readonly #options: DeliveryOptions;
  readonly #audiences: readonly Audience[];
  /** Of the last pages: keys of records that no later walk will read again unless they change. */
  readonly #settled: string[][] = [];
  /** A row that could not be sent: the walk must be repeated. */
  invalid: Error | undefined;

  constructor(audiences: readonly Audience[], options: DeliveryOptions) {
    this.#audiences = audiences;
    this.#options = options;
  }

  async send({ rows, start }: ChangedPage): Promise<void> {
    const { source, administrationId, lookbackMs, caller, session } = this.#options;
    const { kind } = source;
    const news: News[] = [];
    const settled: string[] = [];
    let last: FeedPosition | undefined;
    for (const row of rows) {
      if (!isRow(row)) {
        this.invalid ??= row;
        continue;
      }
      const changed = this.#changedRow(row, start);
      last = changed.position;
      const before = news.length;
      for (const audience of this.#audiences) {
        // A large record may have hundreds of them.
        if (isSliceOver()) await nextSlice(session.owner);
        this.#collect(changed, audience, news);
      }
      // Whoever waits for one field of a row holds all of them, and the id of its position.
      if (news.length > before) changed.bytes = valueBytes(row) + 2 * changed.id.length;
      if (changed.stamp < start - 2 * lookbackMs) settled.push(changed.key);
    }
    if (news.length > 0) await caller.dropCached();
    const seenAt = new Date().toISOString();
    for (const [index, { follower, changed, eventId }] of news.entries()) {
      // A page for hundreds of streams is a hundred thousand events.
      if (index % SLICED === 0 && isSliceOver()) await nextSlice(session.owner);
      const { row: record, position, bytes } = changed;
      follower.stream.push(kind, position, bytes, (cursor) => ({
        eventId,
        cursor,
        kind,
        administrationId,
        seenAt,
        record,
      }));
    }
    this.#forgetSettled(settled);
    if (last === undefined) return;
    for (const { followers } of this.#audiences)
      for (const follower of followers) if (follower.position) follower.moveTo(last);
  }

  #changedRow(row: Row, start: number): ChangedRow {
    const { source, session, mark } = this.#options;
    const id = session.text.decode(row.id);
    // Behind a row that could not be sent, a stream has to go on from the start.
    const position = this.invalid ? { mark } : { mark, walk: { start, id } };
    const stamp: unknown = Reflect.get(row, source.stamp);
    const moment = isText(stamp) ? Date.parse(session.text.decode(stamp)) : Number.NaN;
    return { row, id, key: shortKey(id), stamp: moment, position, bytes: 0 };
  }

  #collect(changed: ChangedRow, { fields, sent, followers }: Audience, news: News[]): void {
    const { source, administrationId, session, walk } = this.#options;
    const { row, id, key, stamp } = changed;
    const content = contentHash(row, unionOf(fields, stampFields(source)), session.text);
    const sharedTimes = sent?.add(key, content, walk);
    let eventId: string | undefined;
    for (const follower of followers) {
      if (stamp <= follower.mark) continue;
      const times = follower.sent ? follower.sent.add(key, content, walk) : sharedTimes;
      if (times === undefined || follower.position === undefined || follower.isGone) continue;
      eventId ??= eventIdOf([source.kind, administrationId, id], content);
      news.push({ follower, changed, eventId: times === 0 ? eventId : `${eventId}.${times}` });
    }
  }

  /** A walk over years would remember all of them. The last pages may overlap, where records were deleted. */
  #forgetSettled(keys: string[]): void {
    this.#settled.push(keys);
    if (this.#settled.length <= 2) return;
    for (const key of this.#settled.shift() ?? []) {
      for (const { sent, followers } of this.#audiences)
        if (sent === undefined) for (const follower of followers) follower.sent?.forget(key);
    }
  }
}
