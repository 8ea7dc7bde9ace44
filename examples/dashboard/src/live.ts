/** How a stream is doing, and what there is to say about it. */
export interface LiveStatus {
  readonly state: 'catching up' | 'connected' | 'not possible' | 'refused' | 'expired';
  readonly message?: string | undefined;
}

export interface Followed<Data> {
  /** Asks for a stream that goes on behind the cursor; where there is none yet, from where the page starts. */
  open(cursor: string | undefined, signal: AbortSignal): Promise<Response>;
  /** Belongs to the caller, so that another stream goes on where this one has ended. */
  readonly place: Place;
  /** What came at once. */
  onData(data: readonly Data[]): void;
  onStatus(status: LiveStatus): void;
}

/** How far the streams have come. */
export interface Place {
  /** Absent until one has brought something. */
  cursor?: string | undefined;
}

/** How a stream has ended, and when to open another one; by default after a pause that grows. */
export interface End extends LiveStatus {
  readonly pauseMs?: number;
}

interface Result<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Extensions }[];
}

interface Extensions {
  readonly code: string;
  /** False for a notice, which the stream outlives. */
  readonly ends?: boolean;
  /** When the gateway tries again what the notice is about, in seconds. */
  readonly retryAfter?: number;
}

/**
 * A proxy that collects what it passes on shows nothing before the stream has ended. A gateway where all pages return at
 * once lets them wait for 15 s, and 5 s more for a slow service.
 */
const FIRST_BYTE_MS = 25_000;
/** The gateway gives a sign of life every 12 s. Without one the connection is dead, or the computer has slept. */
const SILENCE_MS = 40_000;
/** How long the gateway may take to try something again. */
const ATTEMPT_MS = 15_000;
/** A stream that ends sooner does not end a row of failures. */
const SHORT_MS = 5_000;
const LONGEST_PAUSE_MS = 30_000;
/** Where streams are not possible they may be later: the gateway has room again, or a proxy was set up otherwise. */
const NOT_POSSIBLE_PAUSE_MS = 300_000;
const OVERLOADED_PAUSE_MS = 30_000;

const BROKEN: End = { state: 'catching up', message: 'The connection was lost.' };

/** Follows a stream through whatever ends a connection, until it is refused, its place has expired, or it is aborted. */
export async function follow<Data>(followed: Followed<Data>, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const begunAt = Date.now();
    const { pauseMs, ...status } = await readStream(followed, signal);
    if (signal.aborted) return;
    followed.onStatus(status);
    if (status.state === 'refused' || status.state === 'expired') return;
    if (Date.now() - begunAt > SHORT_MS) failures = 0;
    // Not all at once: every page of a gateway that was restarted comes back.
    const backoff = Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2);
    await sleep(failures === 0 ? (pauseMs ?? backoff) : Math.max(pauseMs ?? 0, backoff), signal);
  }
}

async function readStream<Data>(
  { open, place, onData, onStatus }: Followed<Data>,
  signal: AbortSignal,
): Promise<End> {
  const silence = new AbortController();
  let limitMs = FIRST_BYTE_MS;
  let heardAt = Date.now();
  // By the clock, and not by one long timer: a timer stands still while the computer sleeps.
  const watch = setInterval(() => {
    if (Math.abs(Date.now() - heardAt) > limitMs) silence.abort();
  }, 1_000);
  let end: End = { state: 'catching up' };
  let trouble: { readonly message: string; readonly until: number } | undefined;
  try {
    const response = await open(place.cursor, AbortSignal.any([signal, silence.signal]));
    if (!response.body || !/^text\/event-stream/.test(response.headers.get('content-type') ?? ''))
      return await endOfAnswer(response);
    for await (const events of readEvents(response.body)) {
      limitMs = SILENCE_MS;
      heardAt = Date.now();
      const results = events.flatMap(({ type, data }): Result<Data>[] =>
        type === 'next' ? [JSON.parse(data)] : [],
      );
      const data = results.flatMap((result) => result.data ?? []);
      if (data.length > 0) onData(data);
      for (const { message, extensions } of results.flatMap((result) =>
        result.data ? [] : (result.errors ?? []),
      )) {
        const { code, ends, retryAfter = 0 } = extensions;
        if (ends === false) trouble = { message, until: heardAt + retryAfter * 1_000 + ATTEMPT_MS };
        else end = endOfStream(code, message, place.cursor !== undefined);
      }
      place.cursor = events.findLast(({ id }) => id !== undefined)?.id ?? place.cursor;
      if (events.some(({ type }) => type === 'complete')) return end;
      if (data.length > 0 || (trouble && trouble.until < heardAt)) trouble = undefined;
      onStatus(trouble ? { state: 'catching up', message: trouble.message } : { state: 'connected' });
    }
    return BROKEN;
  } catch {
    const isBuffered = limitMs === FIRST_BYTE_MS && silence.signal.aborted && place.cursor === undefined;
    return isBuffered ? notPossible('No change comes through within 25 s.') : BROKEN;
  } finally {
    clearInterval(watch);
  }
}

/** What to do where the gateway has ended a stream with a code. */
export function endOfStream(code: string, message: string, hasCursor: boolean): End {
  switch (code) {
    case 'UNAUTHENTICATED':
      return { state: 'refused', message };
    case 'SERVER_STOPPING':
    case 'SLOW_CONSUMER':
      return { state: 'catching up', message, pauseMs: 0 };
    case 'CHANGES_EXPIRED':
    case 'BAD_USER_INPUT':
      // Nothing leads on from that cursor; where there is none, it is not the place that is wrong.
      return hasCursor ? { state: 'expired', message } : notPossible(message);
    default:
      return notPossible(message);
  }
}

/** What to do where there came an ordinary answer and no stream. */
async function endOfAnswer(response: Response): Promise<End> {
  const { status, headers } = response;
  const isJson = /json/.test(headers.get('content-type') ?? '');
  const { errors = [] }: Result<unknown> = isJson ? await response.json() : {};
  const { message = `The gateway answers ${status}.`, extensions } = errors[0] ?? {};
  if (extensions?.code === 'UNAUTHENTICATED') return { state: 'refused', message };
  // Of a gateway that is being restarted, or the proxy before it.
  if (extensions?.code === 'SERVER_STOPPING' || [500, 502, 504].includes(status))
    return { state: 'catching up', message };
  if (status !== 503) return notPossible(message);
  const retryAfterMs = 1_000 * (Number(headers.get('retry-after')) || 0);
  return notPossible(message, Math.max(retryAfterMs, OVERLOADED_PAUSE_MS));
}

function notPossible(message: string, pauseMs = NOT_POSSIBLE_PAUSE_MS): End {
  return { state: 'not possible', message, pauseMs };
}

/** An event of a stream, or a sign of life that tells where the stream is. */
export interface ServerEvent {
  readonly type: string;
  /** The cursor. */
  readonly id: string | undefined;
  readonly data: string;
}

/** The events of a stream, by the pieces in which they come. */
async function* readEvents(body: ReadableStream<BufferSource>): AsyncGenerator<ServerEvent[]> {
  const parse = createEventParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield parse(value);
  }
}

/** Returns a function that takes a stream piece by piece, and gives the events that each piece completes. */
export function createEventParser(): (text: string) => ServerEvent[] {
  let unfinished = '';
  return (text) => {
    const blocks = (unfinished + text).split(/\r?\n\r?\n/);
    unfinished = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const values = (name: string) =>
        block
          .split(/\r?\n/)
          .flatMap((line) => (line.startsWith(`${name}:`) ? line.slice(name.length + 1).trim() : []));
      const [data, id] = [values('data'), values('id').at(-1)];
      if (data.length > 0) return { type: values('event').at(-1) ?? 'message', id, data: data.join('\n') };
      return id === undefined ? [] : { type: 'alive', id, data: '' };
    });
  };
}

/** Ends early if the signal is aborted. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, milliseconds);
    signal.addEventListener('abort', wake);
  });
}
