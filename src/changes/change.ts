import type { Cancellation } from '../rest/cancellation.ts';
import { RestError } from '../rest/errors.ts';
import type { FieldTree } from '../rest/fields.ts';
import type { Resource, Row } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';

export interface ChangeSource {
  readonly kind: string;
  /** A short name for cursors, which every event contains. */
  readonly cursorKey: string;
  readonly resource: Resource;
  /** The filter for records that changed after a moment, and the field that the service compares with the moment. */
  readonly filter: string;
  readonly timestampField: string;
  /** How long the service lists a record after a change. Absent if the service always lists it. */
  readonly retentionMs?: number;
}

export interface Change {
  readonly eventId: string;
  /** Passed as `after`, it opens a stream that starts after this event. */
  readonly cursor: string;
  readonly kind: string;
  readonly administrationId: string;
  readonly seenAt: string;
  readonly record: Row;
}

export interface ChangeRequest {
  readonly administrationId: string;
  readonly kinds: readonly { readonly source: ChangeSource; readonly fields: FieldTree }[];
  /** The stream starts after this moment or event, and now if both are absent. */
  readonly since?: string | undefined;
  readonly after?: string | undefined;
}

export type OpenChanges = (request: ChangeRequest) => Promise<AsyncIterable<Change | Error>>;

/** The credential and cache that a poller uses. */
export interface Subscriber {
  /** Identifies the credential without revealing it. */
  readonly credential: string;
  /** Creates a session that bypasses all caches. */
  createRest(cancellation: Cancellation): RestSession;
  /** Invalidates what is cached for the credential, and resolves once other processes were notified. */
  invalidateCache(): Promise<void> | undefined;
}

/** Reports that the service cannot be read. Without `retryAfter`, a number of seconds, the stream ends. */
export class StreamError extends RestError {
  readonly ends: boolean;

  constructor({ code, message, upstream }: RestError, retryAfter?: number) {
    const ends = retryAfter === undefined;
    const retryNotice = ` The stream continues. Next attempt in ${retryAfter} s.`;
    super(code, ends ? message : message + retryNotice, { upstream, retryAfter });
    this.ends = ends;
  }
}
