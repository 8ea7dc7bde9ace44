import { isRecord } from './json.ts';

/** What can happen to a record, and what the page calls it. */
export const KINDS = [
  ['DEBTOR_CHANGED', 'Debtor changed'],
  ['DECLARATION_LINE_CHANGED', 'Declaration line changed'],
  ['CREDIT_CASE_DELETED', 'Credit case deleted'],
  ['PAYMENT_DELETED', 'Payment deleted'],
] as const;

export type Kind = (typeof KINDS)[number][0];

/** Each record with what tells it apart, and what changes most. */
export const SUBSCRIPTION = /* GraphQL */ `subscription Changes(
  $administrationId: ID!
  $kinds: [ChangeKind!]
  $since: DateTime
  $after: String
) {
  changes(administrationId: $administrationId, kinds: $kinds, since: $since, after: $after) {
    eventId
    cursor
    kind
    seenAt
    ... on DebtorChanged {
      debtor { internalId debtorNumber name bookOpenAmount labels { name } updatedAt }
    }
    ... on DeclarationLineChanged {
      declarationLine { internalId claimStatus claimResponseCodes amount rejectedAmount updatedAt }
    }
    ... on CreditCaseDeleted {
      deletedCreditCase { internalId debtorId deletedAt }
    }
    ... on PaymentDeleted {
      deletedPayment { internalId originIdentifier invoiceId deletedAt }
    }
  }
}`;

/** A line of the list: an event, or what the gateway says of the stream. */
export interface Entry {
  readonly number: number;
  /** In milliseconds. */
  readonly time: number;
  readonly title: string;
  /** The name or the id of the record; empty for a notice. */
  readonly subject: string;
  /** Absent for a notice, as is the record that it is about. */
  readonly event?: Readonly<Record<string, unknown>>;
  readonly record?: string;
}

/** More would make the page slow, and nobody reads them. */
const MAX_ENTRIES = 500;

/** Puts an entry first. An event that the list has told of its record last is told again, and left out. */
export function addEntry(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  const { event, record } = entry;
  const last = event && entries.find((other) => other.record === record);
  if (last && last.event?.eventId === event.eventId) return entries;
  return [entry, ...entries.slice(0, MAX_ENTRIES - 1)];
}

export function noticeEntry(number: number, title: string): Entry {
  return { number, time: Date.now(), title, subject: '' };
}

/** An event as the list shows it; undefined for anything else. */
export function eventEntry(number: number, event: unknown): Entry | undefined {
  if (!isRecord(event)) return undefined;
  const record = Object.values(event).find(isRecord) ?? {};
  const name = record.name ?? record.originIdentifier;
  return {
    number,
    time: Date.parse(String(event.seenAt)) || Date.now(),
    title: KINDS.find(([kind]) => kind === event.kind)?.[1] ?? String(event.kind),
    subject: [name, record.internalId].filter((text) => typeof text === 'string').join(' · '),
    event,
    record: `${event.kind} ${record.internalId}`,
  };
}
