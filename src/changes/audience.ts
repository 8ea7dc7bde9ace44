import { shortKey } from '../composite-key.ts';
import { isSliceOver, nextSlice } from '../limits/time-slice.ts';
import { type Fields, unionOf } from '../rest/fields.ts';
import { jsonLength } from '../rest/json.ts';
import { isRow } from '../rest/page-body.ts';
import type { Row } from '../rest/resource.ts';
import { isText, type TextCodec } from '../rest/wire-text.ts';
import { type ChangeSource, contentHash, eventIdOf, stampOf } from './change.ts';
import type { Follower, Told } from './follower.ts';
import type { FeedPosition } from './position.ts';
import type { ChangedPage } from './read-changes.ts';

/** Followers with one selection: what is new for one of those that share `told` is new for all of them. */
export interface Audience {
  readonly fields: Fields;
  /** Absent if each has its own. */
  readonly told?: Told;
  /** Counts what is remembered for all of them. */
  readonly countTold?: () => void;
  readonly followers: readonly Follower[];
}

interface TellingOptions {
  readonly source: ChangeSource;
  readonly administrationId: string;
  readonly text: TextCodec;
  /** The number of the walk, and where it started from. */
  readonly walk: number;
  readonly mark: number;
  readonly lookbackMs: number;
  /** Whose turn it takes with long work. */
  readonly owner: string;
  /** Called before anything is told. */
  readonly beforeTelling: () => Promise<void> | undefined;
}

/** Events between two looks at the clock. */
const SLICED = 50;

/** A row that was read, and where a stream is behind it. */
interface Seen {
  readonly row: Row;
  readonly id: string;
  /** What is remembered of it is found by it. */
  readonly key: string;
  readonly stamp: number;
  readonly position: FeedPosition;
  /** What it takes in memory, if it is told. */
  bytes: number;
}

interface News {
  readonly follower: Follower;
  readonly seen: Seen;
  readonly eventId: string;
}

/** Tells the rows of one walk, page by page, to those for whom they are new. */
/** Of a record that is nested too deep to be measured. */
const DEEP_BYTES = 1_000_000;

export class Telling {
  readonly #options: TellingOptions;
  readonly #audiences: readonly Audience[];
  /** Of the last pages: keys of records that no later walk will read again unless they change. */
  readonly #settled: string[][] = [];
  /** A row that could not be told: the walk must be repeated. */
  invalid: Error | undefined;

  constructor(audiences: readonly Audience[], options: TellingOptions) {
    this.#audiences = audiences;
    this.#options = options;
  }

  async tell({ rows, start }: ChangedPage): Promise<void> {
    const { source, administrationId, lookbackMs, beforeTelling, owner } = this.#options;
    const { kind } = source;
    const news: News[] = [];
    const settled: string[] = [];
    let last: FeedPosition | undefined;
    for (const row of rows) {
      if (isRow<Row>(row)) {
        const seen = this.#see(row, start);
        last = seen.position;
        const before = news.length;
        for (const audience of this.#audiences) {
          // A large record may have hundreds of them.
          if (isSliceOver()) await nextSlice(owner);
          this.#collect(seen, audience, news);
        }
        if (news.length > before) seen.bytes = this.#bytesOf(seen);
        if (seen.stamp < start - 2 * lookbackMs) settled.push(seen.key);
      } else this.invalid ??= row;
    }
    if (news.length > 0) await beforeTelling();
    const seenAt = new Date().toISOString();
    for (const [index, { follower, seen, eventId }] of news.entries()) {
      // A page for hundreds of streams is a hundred thousand events.
      if (index % SLICED === 0 && isSliceOver()) await nextSlice(owner);
      follower.stream.push(kind, seen.position, seen.bytes, (cursor) => ({
        eventId,
        cursor,
        kind,
        administrationId,
        seenAt,
        record: seen.row,
      }));
    }
    this.#forgetSettled(settled);
    if (last === undefined) return;
    for (const { followers } of this.#audiences)
      for (const follower of followers) if (follower.position) follower.moveTo(last);
  }

  #see(row: Row, start: number): Seen {
    const id = this.#options.text.decode(row.id);
    const position = this.#positionAt(start, id);
    return { row, id, key: shortKey(id), stamp: this.#stampOf(row), position, bytes: 0 };
  }

  /** Whoever waits for one field of a row holds all of them, and the id of its position. */
  #bytesOf({ row, id }: Seen): number {
    return (jsonLength(row) ?? DEEP_BYTES) + 2 * id.length;
  }

  /** Behind a row that could not be told, a stream has to go on from the start. */
  #positionAt(start: number, id: string): FeedPosition {
    const { mark } = this.#options;
    return this.invalid ? { mark } : { mark, walk: { start, id } };
  }

  #collect(seen: Seen, { fields, told, followers }: Audience, news: News[]): void {
    const { source, administrationId, text, walk } = this.#options;
    const { row, id, key, stamp } = seen;
    const content = contentHash(row, unionOf(fields, stampOf(source.stamp)), text);
    const shared = told?.add(key, content, walk);
    let eventId: string | undefined;
    for (const follower of followers) {
      if (stamp <= follower.mark) continue;
      const times = follower.told ? follower.told.add(key, content, walk) : shared;
      if (times === undefined || follower.position === undefined || follower.isGone) continue;
      eventId ??= eventIdOf([source.kind, administrationId, id], content);
      news.push({ follower, seen, eventId: times === 0 ? eventId : `${eventId}.${times}` });
    }
  }

  /** When the record changed; not a number if it does not say so. */
  #stampOf(row: Row): number {
    const { source, text } = this.#options;
    const stamp: unknown = Reflect.get(row, source.stamp);
    return isText(stamp) ? Date.parse(text.decode(stamp)) : Number.NaN;
  }

  /**
   * A walk over years would otherwise remember all of them; it goes on where it failed, unlike walks of several
   * followers. The last pages may overlap, where records were deleted.
   */
  #forgetSettled(keys: string[]): void {
    this.#settled.push(keys);
    if (this.#settled.length <= 2) return;
    for (const key of this.#settled.shift() ?? []) {
      for (const { told, followers } of this.#audiences)
        if (told === undefined) for (const follower of followers) follower.told?.forget(key);
    }
  }
}
