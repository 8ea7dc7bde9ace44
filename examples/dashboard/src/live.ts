/** The state of a stream, and a message for the user. */
export interface LiveStatus {
  readonly state: 'catching up' | 'connected' | 'not possible' | 'refused' | 'expired';
  readonly message?: string | undefined;
}

export interface Followed<Data> {
  /** Opens a stream after the cursor or, without one, from the page's own start. */
  open(cursor: string | undefined, signal: AbortSignal): Promise<Response>;
  /** Belongs to the caller, so that the next stream continues where this one ended. */
  readonly position: StreamPosition;
  /** Receives the data that arrived together. */
  onData(data: readonly Data[]): void;
  onStatus(status: LiveStatus): void;
}

/** Where the next stream continues. */
export interface StreamPosition {
  /** Absent until a stream has sent an event. */
  cursor?: string | undefined;
}

/** How a stream ended, and when to open the next one: by default after an increasing delay. */
export interface End extends LiveStatus {
  readonly pauseMs?: number;
}

interface Result<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string; readonly extensions: Extensions }[];
}

interface Extensions {
  readonly code: string;
  /** False for a notice, after which the stream continues. */
  readonly ends?: boolean;
  /** Seconds until the gateway tries again. */
  readonly retryAfter?: number;
}

/**
 * Time for the first bytes. A proxy that buffers responses sends none. After a restart of the gateway, all
 * pages reconnect and wait for up to 15 s, and 5 s more if the service is slow.
 */
const FIRST_BYTE_MS = 25_000;
/**
 * The gateway sends a heartbeat every 12 s. Without one, the connection is broken or the computer was asleep.
 */
const SILENCE_MS = 40_000;
/** How long the gateway's next attempt may take. */
const ATTEMPT_MS = 15_000;
/** A shorter stream counts as a failure. */
const SHORT_MS = 5_000;
const LONGEST_PAUSE_MS = 30_000;
/** Streams may become possible later: the gateway may have room, or the proxy a new configuration. */
const NOT_POSSIBLE_PAUSE_MS = 300_000;
const OVERLOADED_PAUSE_MS = 30_000;

const BROKEN: End = { state: 'catching up', message: 'The connection was lost.' };

/**
 * Follows a stream across broken connections until it is rejected, its cursor expires, or the signal is
 * aborted.
 */
export async function follow<Data>(followed: Followed<Data>, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const begunAt = Date.now();
    const { pauseMs, ...status } = await readStream(followed, signal);
    if (signal.aborted) return;
    followed.onStatus(status);
    if (status.state === 'refused' || status.state === 'expired') return;
    if (Date.now() - begunAt > SHORT_MS) failures = 0;
    // Adds jitter: after a restart of the gateway, all pages reconnect.
    const backoff = Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2);
    await sleep(failures === 0 ? (pauseMs ?? backoff) : Math.max(pauseMs ?? 0, backoff), signal);
  }
}

async function readStream<Data>(
  { open, position, onData, onStatus }: Followed<Data>,
  signal: AbortSignal,
): Promise<End> {
  const silence = new AbortController();
  let limitMs = FIRST_BYTE_MS;
  let heardAt = Date.now();
  // Uses the clock, because a long timer stands still while the computer sleeps.
  const watch = setInterval(() => {
    if (Math.abs(Date.now() - heardAt) > limitMs) silence.abort();
  }, 1_000);
  let end: End = { state: 'catching up' };
  let trouble: { readonly message: string; readonly until: number } | undefined;
  try {
    const response = await open(position.cursor, AbortSignal.any([signal, silence.signal]));
    if (!response.body || !/^text\/event-stream/.test(response.headers.get('content-type') ?? ''))
      return await endOfResponse(response);
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
        else end = endOfStream(code, message, position.cursor !== undefined);
      }
      position.cursor = events.findLast(({ id }) => id !== undefined)?.id ?? position.cursor;
      if (events.some(({ type }) => type === 'complete')) return end;
      if (data.length > 0 || (trouble && trouble.until < heardAt)) trouble = undefined;
      onStatus(trouble ? { state: 'catching up', message: trouble.message } : { state: 'connected' });
    }
    return BROKEN;
  } catch {
    const isBuffered = limitMs === FIRST_BYTE_MS && silence.signal.aborted && position.cursor === undefined;
    return isBuffered ? notPossible('No data arrived within 25 s.') : BROKEN;
  } finally {
    clearInterval(watch);
  }
}

/** Decides what to do after the gateway ended a stream with a code. */
export function endOfStream(code: string, message: string, hasCursor: boolean): End {
  switch (code) {
    case 'UNAUTHENTICATED':
      return { state: 'refused', message };
    case 'SERVER_STOPPING':
    case 'SLOW_CONSUMER':
      return { state: 'catching up', message, pauseMs: 0 };
    case 'CHANGES_EXPIRED':
    case 'BAD_USER_INPUT':
      // The stream cannot continue from its cursor. Without a cursor, the cause is something else.
      return hasCursor ? { state: 'expired', message } : notPossible(message);
    default:
      return notPossible(message);
  }
}

/** Decides what to do with a response that is not a stream. */
async function endOfResponse(response: Response): Promise<End> {
  const { status, headers } = response;
  const isJson = /json/.test(headers.get('content-type') ?? '');
  const { errors = [] }: Result<unknown> = isJson ? await response.json() : {};
  const { message = `The gateway responded with status ${status}.`, extensions } = errors[0] ?? {};
  if (extensions?.code === 'UNAUTHENTICATED') return { state: 'refused', message };
  // The gateway or the proxy in front of it is restarting.
  if (extensions?.code === 'SERVER_STOPPING' || [500, 502, 504].includes(status))
    return { state: 'catching up', message };
  if (status !== 503) return notPossible(message);
  const retryAfterMs = 1_000 * (Number(headers.get('retry-after')) || 0);
  return notPossible(message, Math.max(retryAfterMs, OVERLOADED_PAUSE_MS));
}

function notPossible(message: string, pauseMs = NOT_POSSIBLE_PAUSE_MS): End {
  return { state: 'not possible', message, pauseMs };
}

/** An event of a stream, or a heartbeat with the current cursor. */
export interface ServerEvent {
  readonly type: string;
  /** The cursor. */
  readonly id: string | undefined;
  readonly data: string;
}

/** Yields the events of a stream, chunk by chunk. */
async function* readEvents(body: ReadableStream<BufferSource>): AsyncGenerator<ServerEvent[]> {
  const parse = createEventParser();
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield parse(value);
  }
}

/** Returns a function that takes the chunks of a stream and returns the events that each chunk completes. */
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

/** Resolves early if the signal is aborted. */
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
