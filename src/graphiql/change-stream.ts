import { isObject } from '../rest/json.ts';
import { type AnswerError, adviceOnError, errorsIn } from './advice.ts';
import { isEventStream, isJson, readResults, recordIn, send } from './send.ts';

interface StreamRequest {
  readonly endpoint: string;
  readonly headers: Headers;
  readonly variables: object;
  readonly signal: AbortSignal;
  onOpen(): void;
  /** What came at once: events, errors that the stream outlives, and where it can be gone on with. */
  onNews(events: readonly unknown[], notices: readonly AnswerError[], cursor?: string): void;
}

/** Why a stream is over, in words, and when to open another one; never if `retryAfterMs` is absent. */
interface StreamOutcome {
  readonly note: string;
  readonly retryAfterMs?: number;
}

/** The gateway gives a sign of life every 12 s: after three that did not come, the connection is dead. */
const SILENCE_MS = 40_000;

const BROKEN: StreamOutcome = { note: 'The gateway does not answer.', retryAfterMs: 1_000 };

/** Ends that concern the gateway, and not what was asked of it. */
const TRANSIENT: Readonly<Record<string, StreamOutcome>> = {
  SERVER_STOPPING: { note: 'The gateway is being restarted.', retryAfterMs: 0 },
  SLOW_CONSUMER: { note: 'The gateway sent more than this page could read.', retryAfterMs: 0 },
  OVERLOADED: { note: 'The gateway has too much to do.', retryAfterMs: 5_000 },
};

/** Opens a stream of changes, and reads it to its end, whatever that is. */
export async function streamChanges(request: StreamRequest): Promise<StreamOutcome> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expectLife = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  expectLife();
  try {
    const response = await send({
      url: request.endpoint,
      headers: request.headers,
      operation: { query: SUBSCRIPTION, variables: request.variables },
      signal: AbortSignal.any([request.signal, silence.signal]),
    });
    if (!response.body || !isEventStream(response)) return await refusalOf(response);
    request.onOpen();
    let failure: AnswerError | undefined;
    for await (const { results, cursor } of readResults(response.body)) {
      expectLife();
      const events = results.map((result) => recordIn(result, 'data').changes).filter(isObject);
      // Errors beside an event are about fields of its record.
      const errors = results.filter(({ data }) => !isObject(data)).flatMap(errorsIn);
      const notices = errors.filter(({ extensions }) => extensions.ends === false);
      failure = errors.find(({ extensions }) => extensions.ends !== false) ?? failure;
      request.onNews(events, notices, cursor);
    }
    return endingOf(failure);
  } catch {
    return BROKEN;
  } finally {
    clearTimeout(timer);
  }
}

function endingOf(failure: AnswerError | undefined): StreamOutcome {
  if (!failure) return { note: 'The gateway ended the stream.', retryAfterMs: 1_000 };
  return TRANSIENT[String(failure.code)] ?? { note: inWords(failure) };
}

/** Anything but a stream: an error of the gateway in JSON, or of a proxy before it. */
async function refusalOf(response: Response): Promise<StreamOutcome> {
  const [error] = errorsIn(isJson(response) ? await response.json() : undefined);
  const note = error ? inWords(error) : `The gateway answered ${response.status} ${response.statusText}.`;
  if (response.status < 500) return { note };
  const seconds = Number(response.headers.get('Retry-After')) || 1;
  return { note, retryAfterMs: seconds * 1_000 };
}

function inWords(error: AnswerError): string {
  return adviceOnError(error, false)?.text ?? error.message;
}

/** What can happen to a record, and what the page calls it. */
export const KINDS = [
  ['DEBTOR_CHANGED', 'Debtor changed'],
  ['DECLARATION_LINE_CHANGED', 'Declaration line changed'],
  ['CREDIT_CASE_DELETED', 'Credit case deleted'],
  ['PAYMENT_DELETED', 'Payment deleted'],
] as const;

export type Kind = (typeof KINDS)[number][0];

/** Each record with what tells it apart, and what changes most. */
const SUBSCRIPTION = /* GraphQL */ `
subscription Changes($administrationId: ID!, $kinds: [ChangeKind!], $after: String) {
  changes(administrationId: $administrationId, kinds: $kinds, after: $after) {
    eventId cursor kind seenAt
    ... on DebtorChanged {
      debtor { internalId debtorNumber name bookOpenAmount labels { name } updatedAt }
    }
    ... on DeclarationLineChanged {
      declarationLine { internalId claimStatus claimResponseCodes amount rejectedAmount updatedAt }
    }
    ... on CreditCaseDeleted { deletedCreditCase { internalId debtorId deletedAt } }
    ... on PaymentDeleted { deletedPayment { internalId originIdentifier invoiceId deletedAt } }
  }
}`;

/** A line of the list: an event, or what the gateway says of the stream. */
export interface Entry {
  readonly number: number;
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
  if (!isObject(event)) return undefined;
  const record = Object.values(event).find(isObject) ?? {};
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
