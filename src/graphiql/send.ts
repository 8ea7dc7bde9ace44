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
  readonly signal?: AbortSignal | null;
}

/** Sends an operation; throws a `NoAnswer` if nothing comes back. */
export async function send({ url, headers, operation, signal = null }: PostedOperation): Promise<Response> {
  const body = JSON.stringify(operation);
  try {
    return await fetch(url, { method: 'POST', headers, body, signal });
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
  const reader = body.getReader();
  const parser = new EventStreamParser();
  for (;;) {
    // Without a value, the connection is gone.
    const { value } = await reader.read().catch(() => ({ value: undefined }));
    if (!value) throw new NoAnswer('The connection ended before the stream did. Run it again.');
    for (const { event, data = '' } of parser.take(value)) {
      if (event === 'complete') return;
      const answer = event === 'next' && parseJson(data);
      if (isAnswer(answer)) yield answer;
    }
  }
}

export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
