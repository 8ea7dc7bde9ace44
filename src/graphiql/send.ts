import { EventStreamParser, type ServerSentEvent } from '../http/server-sent-events.ts';
import { isObject, parseJson } from '../rest/json.ts';

/** Why there is no answer, in a sentence for the user. GraphiQL would show the stack of an error, so this has none. */
export class NoAnswer extends Error {
  constructor(message: string) {
    super(message);
    delete this.stack;
  }
}

export interface PostedOperation {
  readonly url: string;
  readonly headers: Headers;
  readonly operation: object;
  readonly signal?: AbortSignal;
}

/** Sends an operation; throws a `NoAnswer` if nothing comes back. */
export async function send({ url, headers, operation, signal }: PostedOperation): Promise<Response> {
  const body = JSON.stringify(operation);
  try {
    return await fetch(url, { method: 'POST', headers, body, signal: signal ?? null });
  } catch {
    throw new NoAnswer('The gateway does not answer. Check that it is running, then try again.');
  }
}

/** Sends an operation that is answered with JSON or with a stream. */
export async function sendForJson(sent: PostedOperation): Promise<Response> {
  const response = await send(sent);
  if (isEventStream(response) || isJson(response)) return response;
  throw new NoAnswer(
    `The answer is ${response.status} ${response.statusText}`.trimEnd() +
      ', without JSON. A proxy may have sent it while the gateway is down: try again in a moment.',
  );
}

export function isJson(response: Response): boolean {
  return response.headers.get('Content-Type')?.includes('json') ?? false;
}

/** Reads a body, by `response.json()` or the like. */
export async function whole<T>(body: Promise<T>): Promise<T> {
  try {
    return await body;
  } catch {
    throw new NoAnswer('The connection ended in the middle of the answer. Try again.');
  }
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A member that is an object; an empty object in place of anything else. */
export function recordIn(value: unknown, name: string): Record<string, unknown> {
  const member = isObject(value) ? value[name] : undefined;
  return isObject(member) ? member : {};
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** The events of a stream, by the pieces in which they come. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent[]> {
  const parser = new EventStreamParser();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield parser.take(value);
    }
  } finally {
    // Whoever stops reading ends the connection; one that is broken already says so, which nobody needs to hear.
    reader.cancel().catch(() => {});
  }
}

/** The results of a stream by the pieces in which they come, and where it can be gone on with, until it is complete. */
export async function* readResults(body: ReadableStream<Uint8Array>) {
  try {
    for await (const events of readEvents(body)) {
      const told = events.filter(({ event }) => event === 'next');
      const results = told.map(({ data = '' }) => parseJson(data)).filter(isObject);
      yield { results, cursor: events.findLast(({ id }) => id !== undefined)?.id };
      if (events.some(({ event }) => event === 'complete')) return;
    }
  } catch {
    // Told below: the connection is gone.
  }
  throw new NoAnswer('The connection ended before the stream did. Run it again.');
}

export function isEventStream(response: Response): boolean {
  return response.headers.get('Content-Type')?.startsWith('text/event-stream') ?? false;
}
