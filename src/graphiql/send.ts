import { EventStreamParser } from '../http/server-sent-events.ts';
import { parseJson } from '../rest/json.ts';
import { type Answer, isAnswer } from './answer.ts';

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

export async function whole<T>(body: Promise<T>): Promise<T> {
  try {
    return await body;
  } catch {
    throw new NoAnswer('The connection ended in the middle of the answer. Try again.');
  }
}

/** Reads the answer to anything but a subscription. */
export async function readAnswer(response: Response): Promise<Answer> {
  const body: unknown = isJson(response) ? await whole(response.json()) : undefined;
  if (isAnswer(body)) return body;
  throw new NoAnswer(
    `The answer is ${response.status} ${response.statusText}`.trimEnd() +
      ', without JSON of GraphQL. A proxy may have sent it while the gateway is down: try again in a moment.',
  );
}

export function isJson(response: Response): boolean {
  return response.headers.get('Content-Type')?.includes('json') ?? false;
}

/** The answers of a stream, until it is complete. */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<Answer> {
  const parser = new EventStreamParser();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (const { event, data = '' } of parser.take(value)) {
        if (event === 'complete') return;
        const answer = event === 'next' && parseJson(data);
        if (isAnswer(answer)) yield answer;
      }
    }
  } catch {
    // Told below: the connection is gone.
  } finally {
    // Whoever stops reading ends the connection; one that is broken already says so, which nobody needs to hear.
    reader.cancel().catch(() => {});
  }
  throw new NoAnswer('The connection ended before the stream did. Run it again.');
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
