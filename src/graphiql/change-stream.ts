import { adviceOnError } from './advice.ts';
import { type AnswerError, errorsIn } from './answer-errors.ts';
import { SUBSCRIPTION } from './change-events.ts';
import { isEventStream, readEvents } from './event-stream.ts';
import { isRecord, parseJson } from './json.ts';

export interface StreamRequest {
  readonly endpoint: string;
  readonly headers: Headers;
  readonly variables: object;
  /** Ends the stream. */
  readonly signal: AbortSignal;
  onOpen(): void;
  /** What came at once: events, and errors that the stream outlives. */
  onNews(events: readonly unknown[], notices: readonly AnswerError[]): void;
  /** Where the stream can be gone on with. */
  onCursor(cursor: string): void;
}

/** Why a stream is over, in words, and when to open another one; never if `retryAfterMs` is absent. */
export interface Ending {
  readonly note: string;
  readonly retryAfterMs?: number;
}

/** The gateway gives a sign of life every 12 s: after three that did not come, the connection is dead. */
const SILENCE_MS = 40_000;

const BROKEN: Ending = { note: 'The gateway does not answer.', retryAfterMs: 1_000 };

/** Ends that concern the gateway, and not what was asked of it. */
const TRANSIENT: Readonly<Record<string, Ending>> = {
  SERVER_STOPPING: { note: 'The gateway is being restarted.', retryAfterMs: 0 },
  SLOW_CONSUMER: { note: 'The gateway sent more than this page could read.', retryAfterMs: 0 },
  OVERLOADED: { note: 'The gateway has too much to do.', retryAfterMs: 5_000 },
};

/** Opens a stream of changes, and reads it to its end, whatever that is. */
export async function followChanges(request: StreamRequest): Promise<Ending> {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expectLife = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  expectLife();
  try {
    const response = await fetch(request.endpoint, {
      method: 'POST',
      headers: request.headers,
      body: JSON.stringify({ query: SUBSCRIPTION, variables: request.variables }),
      signal: AbortSignal.any([request.signal, silence.signal]),
    });
    if (!response.body || !isEventStream(response)) return await refusalOf(response);
    request.onOpen();
    let failure: AnswerError | undefined;
    for await (const pieces of readEvents(response.body)) {
      expectLife();
      const results = pieces.filter(({ type }) => type === 'next').map(({ data }) => parseJson(data));
      failure = tell(results, request) ?? failure;
      const cursor = pieces.findLast(({ id }) => id !== undefined)?.id;
      if (cursor !== undefined) request.onCursor(cursor);
      if (pieces.some(({ type }) => type === 'complete')) return endingOf(failure);
    }
    return BROKEN;
  } catch {
    return BROKEN;
  } finally {
    clearTimeout(timer);
  }
}

/** Hands on what came; returns the error that the stream ends with, if that came too. */
function tell(results: readonly unknown[], request: StreamRequest): AnswerError | undefined {
  const events = results.flatMap((result) =>
    isRecord(result) && isRecord(result.data) && isRecord(result.data.changes) ? [result.data.changes] : [],
  );
  // Errors beside an event are about fields of its record.
  const errors = results
    .filter((result) => !isRecord(result) || !isRecord(result.data))
    .flatMap((result) => errorsIn(result));
  const notices = errors.filter(({ extensions }) => extensions.ends === false);
  if (events.length > 0 || notices.length > 0) request.onNews(events, notices);
  return errors.find(({ extensions }) => extensions.ends !== false);
}

function endingOf(failure: AnswerError | undefined): Ending {
  if (!failure) return { note: 'The gateway ended the stream.', retryAfterMs: 1_000 };
  return TRANSIENT[String(failure.code)] ?? { note: inWords(failure) };
}

/** Anything but a stream: an error of the gateway in JSON, or of a proxy before it. */
async function refusalOf(response: Response): Promise<Ending> {
  const isJson = response.headers.get('Content-Type')?.includes('json');
  const [error] = errorsIn(isJson ? await response.json() : undefined);
  const note = error ? inWords(error) : `The gateway answered ${response.status} ${response.statusText}.`;
  if (response.status < 500) return { note };
  const seconds = Number(response.headers.get('Retry-After')) || 1;
  return { note, retryAfterMs: seconds * 1_000 };
}

function inWords(error: AnswerError): string {
  return adviceOnError(error, false)?.text ?? error.message;
}
