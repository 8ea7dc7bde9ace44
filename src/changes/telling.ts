import { isSliceOver, nextSlice } from '../limits/time-slice.ts';
import { type Fields, unionOf } from '../rest/fields.ts';
import { isRow } from '../rest/page-body.ts';
import type { Row } from '../rest/resource.ts';
import { isText, type TextCodec } from '../rest/wire-text.ts';
import type { ChangeSource } from './change.ts';
import { contentHash, eventIdOf } from './content.ts';
import type { Follower } from './follower.ts';
import type { Position } from './position.ts';
import type { ChangedPage } from './read-changes.ts';
import { stampOf } from './stamp.ts';
import type { Told } from './told.ts';

/** Followers with one selection: what is new for one of those that share `told` is new for all of them. */
export interface Audience {
  readonly fields: Fields;
  /** Absent if each has its own. */
  readonly told?: Told;
  /** Counts what is remembered for all of them. */
  readonly countTold?: () => void;
  readonly followers: readonly Follower[];
}

export interface TellingOptions {
  readonly source: ChangeSource;
  readonly administrationId: string;
  readonly text: TextCodec;
  /** The number of the walk, and where it started from. */
  readonly walk: number;
  readonly mark: number;
  readonly lookbackMs: number;
  /** Called before anything is told. */
  readonly beforeTelling: () => Promise<void> | undefined;
}

/** Events between two looks at the clock. */
const SLICED = 50;

interface News {
  readonly follower: Follower;
  readonly row: Row;
  readonly eventId: string;
  readonly position: Position;
}

/** Tells the rows of one walk, page by page, to those for whom they are new. */
export class Telling {
  readonly #options: TellingOptions;
  readonly #audiences: readonly Audience[];
  /** Of the last pages: ids of records that no later walk will read again unless they change. */
  readonly #settled: string[][] = [];
  /** A row that could not be told: the walk must be repeated. */
  invalid: Error | undefined;

  constructor(audiences: readonly Audience[], options: TellingOptions) {
    this.#audiences = audiences;
    this.#options = options;
  }

  async tell({ rows, bytes, start }: ChangedPage): Promise<void> {
    const { source, administrationId, text, lookbackMs, beforeTelling } = this.#options;
    const { kind } = source;
    const news: News[] = [];
    const settled: string[] = [];
    let last: Position | undefined;
    for (const row of rows) {
      if (isRow<Row>(row)) {
        const id = text.decode(row.id);
        last = this.#positionAt(start, id);
        const stamp = this.#stampOf(row);
        for (const audience of this.#audiences) this.#collect(row, id, stamp, last, audience, news);
        if (stamp < start - 2 * lookbackMs) settled.push(id);
      } else this.invalid ??= row;
      if (isSliceOver()) await nextSlice();
    }
    if (news.length > 0) await beforeTelling();
    const seenAt = new Date().toISOString();
    const rowBytes = Math.ceil(bytes / Math.max(1, rows.length));
    for (const [index, { follower, row, eventId, position }] of news.entries()) {
      // A page for hundreds of streams is a hundred thousand events.
      if (index % SLICED === 0 && isSliceOver()) await nextSlice();
      follower.stream.push(kind, position, rowBytes, (cursor) => ({
        eventId,
        cursor,
        kind,
        administrationId,
        seenAt,
        record: row,
      }));
    }
    this.#forgetSettled(settled);
    if (last === undefined) return;
    for (const { followers } of this.#audiences)
      for (const follower of followers) if (follower.position) follower.moveTo(last);
  }

  /** Behind a row that could not be told, a stream has to go on from the start. */
  #positionAt(start: number, id: string): Position {
    const { mark } = this.#options;
    return this.invalid ? { mark } : { mark, walk: { start, id } };
  }

  #collect(
    row: Row,
    id: string,
    stamp: number,
    position: Position,
    { fields, told, followers }: Audience,
    news: News[],
  ): void {
    const { source, administrationId, text, walk } = this.#options;
    const content = contentHash(row, unionOf(fields, stampOf(source.stamp)), text);
    const shared = told?.add(id, content, walk);
    let eventId: string | undefined;
    for (const follower of followers) {
      if (stamp <= follower.mark) continue;
      const times = follower.told ? follower.told.add(id, content, walk) : shared;
      if (times === undefined || follower.position === undefined || follower.isGone) continue;
      eventId ??= eventIdOf([source.kind, administrationId, id], content);
      news.push({ follower, row, position, eventId: times === 0 ? eventId : `${eventId}.${times}` });
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
  #forgetSettled(ids: string[]): void {
    this.#settled.push(ids);
    if (this.#settled.length <= 2) return;
    for (const id of this.#settled.shift() ?? []) {
      for (const { told, followers } of this.#audiences)
        if (told === undefined) for (const follower of followers) follower.told?.forget(id);
    }
  }
}
