import { badInput } from '../rest/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { ChangeSource } from './change.ts';

/** How far a stream has come in the changes of one kind. Moments are those of the service, in milliseconds. */
export interface FeedPosition {
  /** What changed before it has been told. */
  readonly watermark: number;
  /** Of a walk that is under way: when it started, and the last record that was told. */
  readonly scan?: { readonly start: number; readonly id: string } | undefined;
}

/** By the `cursorKey` of their sources. */
export type Positions = ReadonlyMap<string, FeedPosition>;

/**
 * The mark of the next walk: a while before the start of the last one, since what is written later may have an earlier
 * stamp (it is stamped before it is committed, clocks differ, and stamps have whole seconds). A start a little before the
 * last one is the clock of another machine of the service: going back would only read again what was told.
 */
export function nextWatermark(watermark: number, start: number, lookbackMs: number): number {
  const next = start - lookbackMs;
  return next < watermark && watermark - next < lookbackMs ? watermark : next;
}

const VERSION = 1;

const NOT_A_CURSOR = badInput('`after` is not the cursor of an event. Leave it out to start now.');

/** All that another gateway needs to go on. */
export function encodeFeedCursor(administrationId: string, positions: Positions): string {
  const members: Record<string, readonly (string | number)[]> = {};
  for (const [key, { watermark, scan }] of positions)
    members[key] = scan ? [watermark, scan.start, scan.id] : [watermark];
  return Buffer.from(JSON.stringify([VERSION, administrationId, members])).toString('base64url');
}

/** The positions of these sources; throws if the cursor is of something else. */
export function decodeFeedCursor(
  cursor: string,
  administrationId: string,
  sources: readonly ChangeSource[],
): Positions {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  const [version, administration, members] = Array.isArray(parsed) ? parsed : [];
  if (version !== VERSION || !isObject(members)) throw NOT_A_CURSOR;
  if (administration !== administrationId)
    throw badInput('The cursor of `after` is of a stream of another administration.');
  return new Map(sources.map(({ cursorKey, kind }) => [cursorKey, positionIn(members[cursorKey], kind)]));
}

function positionIn(member: unknown, kind: string): FeedPosition {
  if (member === undefined)
    throw badInput(
      `The cursor of \`after\` is of a stream without ${kind}: read that kind in a stream of its own first.`,
    );
  const [watermark, start, id] = Array.isArray(member) ? member : [];
  if (isMoment(watermark) && start === undefined) return { watermark };
  if (!isMoment(watermark) || !isMoment(start) || typeof id !== 'string' || id === '') throw NOT_A_CURSOR;
  return { watermark, scan: { start, id } };
}

/** Up to the year 5138: much later ones are written in another way. */
function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e14;
}
