import type { Cancellation } from '../rest/cancellation.ts';
import { RestError } from '../rest/errors.ts';
import type { FieldTree } from '../rest/fields.ts';
import type { Resource, Row } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';

/** How changes of one kind are found. */
export interface ChangeSource {
  /** A value of the enum `ChangeKind`. */
  readonly kind: string;
  /** Its own short name in cursors, which are part of each event. */
  readonly cursorKey: string;
  readonly resource: Resource;
  /** The filter of the resource that takes a moment, and the field that it compares: both of its last change. */
  readonly filter: string;
  readonly timestampField: string;
  /** For how long the service lists a record after that; for ever if absent. */
  readonly retentionMs?: number;
}

export interface Change {
  readonly eventId: string;
  /** Where a stream goes on after this event. */
  readonly cursor: string;
  readonly kind: string;
  readonly administrationId: string;
  /** When the gateway saw it, in ISO 8601. */
  readonly seenAt: string;
  /** The record as it was read, with the fields that the stream selects. */
  readonly record: Row;
}

/** What a stream is to tell. */
export interface ChangeRequest {
  readonly administrationId: string;
  /** Each with the fields that are selected of its records. */
  readonly kinds: readonly { readonly source: ChangeSource; readonly fields: FieldTree }[];
  /** Where to start: a moment, or behind an event; by default now. */
  readonly since?: string | undefined;
  readonly after?: string | undefined;
}

/** Opens a stream of changes for the caller of one operation. */
export type OpenChanges = (request: ChangeRequest) => Promise<AsyncIterable<Change | Error>>;

/** Whose changes are read. */
export interface Subscriber {
  /** The same for the same credential, of which it reveals nothing. */
  readonly credential: string;
  /** Access to the service as it is now, past all caches. */
  createRest(cancellation: Cancellation): RestSession;
  /** Drops what is cached for the credential; resolves once other processes have done so too. */
  dropCached(): Promise<void> | undefined;
}

/** What a stream tells when the service cannot be read: it goes on after so many seconds or, without them, ends. */
export class StreamError extends RestError {
  readonly ends: boolean;

  constructor({ code, message, upstream }: RestError, retryAfter?: number) {
    const ends = retryAfter === undefined;
    const goesOn = ` The stream goes on: the next attempt is in ${retryAfter} s.`;
    super(code, ends ? message : message + goesOn, { upstream, retryAfter });
    this.ends = ends;
  }
}
