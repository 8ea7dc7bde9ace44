import { badInput } from '../rest/errors.ts';
import { isObject, parseJson } from '../rest/json.ts';
import type { ChangeSource } from './change.ts';

/** The progress of a stream through the changes of one kind. Times are the service's, in milliseconds. */
export interface ChangePosition {
  /** All changes before this time were sent. */
  readonly watermark: number;
  /** An unfinished scan: its start, and the last record sent. */
  readonly scan?: { readonly start: number; readonly id: string } | undefined;
}

/** Maps the `cursorKey` of each source to its position. */
export type Positions = ReadonlyMap<string, ChangePosition>;

/**
 * Overlaps scans: a record may be committed after its timestamp, which has whole seconds, and clocks differ. A start
 * slightly before the last one comes from another server, so the watermark stays.
 */
export function nextWatermark(watermark: number, start: number, lookbackMs: number): number {
  const next = start - lookbackMs;
  return next < watermark && watermark - next < lookbackMs ? watermark : next;
}

const VERSION = 1;

const NOT_A_CURSOR = badInput('`after` is not the cursor of an event. Leave it out to start now.');

export function encodeEventCursor(administrationId: string, positions: Positions): string {
  const members: Record<string, readonly (string | number)[]> = {};
  for (const [key, { watermark, scan }] of positions)
    members[key] = scan ? [watermark, scan.start, scan.id] : [watermark];
  return Buffer.from(JSON.stringify([VERSION, administrationId, members])).toString('base64url');
}

/** Throws if the cursor belongs to another administration, or to a stream without one of the sources. */
export function decodeEventCursor(text: string, administrationId: string, sources: readonly ChangeSource[]) {
  const parsed = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  const [version, administration, members] = Array.isArray(parsed) ? parsed : [];
  if (version !== VERSION || !isObject(members)) throw NOT_A_CURSOR;
  if (administration !== administrationId)
    throw badInput('The cursor of `after` is of a stream of another administration.');
  return new Map(sources.map(({ cursorKey, kind }) => [cursorKey, decodePosition(members[cursorKey], kind)]));
}

function decodePosition(member: unknown, kind: string): ChangePosition {
  if (member === undefined)
    throw badInput(
      `The cursor of \`after\` is of a stream without ${kind}: read that kind in a stream of its own first.`,
    );
  const [watermark, start, id] = Array.isArray(member) ? member : [];
  if (isMoment(watermark) && start === undefined) return { watermark };
  if (!isMoment(watermark) || !isMoment(start) || typeof id !== 'string' || id === '') throw NOT_A_CURSOR;
  return { watermark, scan: { start, id } };
}

/** Later times than the year 5138 would not fit the cursor's format. */
function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e14;
}
