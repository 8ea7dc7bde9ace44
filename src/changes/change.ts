import type { Fields } from '../rest/fields.ts';
import type { Resource, Row } from '../rest/resource.ts';

/** What can happen to a record. */
export type ChangeKind =
  | 'DEBTOR_CHANGED'
  | 'DECLARATION_LINE_CHANGED'
  | 'CREDIT_CASE_DELETED'
  | 'PAYMENT_DELETED';

/** How changes of one kind are found. */
export interface ChangeSource {
  readonly kind: ChangeKind;
  readonly resource: Resource;
  /** The filter of the resource that takes a moment, and the field that it compares: both of its last change. */
  readonly filter: string;
  readonly stamp: string;
  /** For how long the service lists a record after that; for ever if absent. */
  readonly retentionMs?: number;
}

/** A change as it is told to one stream. */
export interface Change {
  readonly eventId: string;
  /** Where a stream goes on after this event. */
  readonly cursor: string;
  readonly kind: ChangeKind;
  readonly administrationId: string;
  /** When the gateway saw it, in ISO 8601. */
  readonly seenAt: string;
  /** The record as it was read, with the fields that the stream selects. */
  readonly record: Row;
}

/** What a stream is to tell. */
export interface ChangeRequest {
  readonly administrationId: string;
  /** Each with the REST fields that are selected of its records. */
  readonly kinds: readonly { readonly source: ChangeSource; readonly fields: Fields }[];
  /** Where to start: a moment, or behind an event; by default now. */
  readonly since?: string | undefined;
  readonly after?: string | undefined;
}

/** Opens a stream of changes for the caller of one operation. */
export type OpenChanges = (request: ChangeRequest) => Promise<AsyncIterable<Change | Error>>;
