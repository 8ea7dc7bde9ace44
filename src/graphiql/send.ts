import { EventStreamParser } from '../http/server-sent-events.ts';
import { parseJson } from '../rest/json.ts';
import { isResult, type Result } from './result.ts';

/** A request without a GraphQL result; the message is for the user. GraphiQL would show a stack, so this has none. */
export class RequestFailure extends Error {
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

/** Sends an operation; throws a `RequestFailure` if there is no response. */
export async function send({ url, headers, operation, signal = null }: PostedOperation): Promise<Response> {
  const body = JSON.stringify(operation);
  try {
    return await fetch(url, { method: 'POST', headers, body, signal });
  } catch {
    throw new RequestFailure('The gateway does not respond. Check that it is running, then try again.');
  }
}

export async function readBody<T>(body: Promise<T>): Promise<T> {
  try {
    return await body;
  } catch {
    throw new RequestFailure('The connection closed in the middle of the response. Try again.');
  }
}

/** Reads the result of a query or mutation. */
export async function readResult(response: Response): Promise<Result> {
  const body: unknown = isJson(response) ? await readBody(response.json()) : undefined;
  if (isResult(body)) return body;
  throw new RequestFailure(
    `The response is not a GraphQL result: ${response.status} ${response.statusText}`.trimEnd() +
      '. A proxy may have sent it while the gateway is down: try again in a moment.',
  );
}

export interface CallEstimate {
  readonly text: string;
  readonly isTooExpensive: boolean;
}

/** Estimates an operation without executing it. Returns null if the gateway cannot. */
export async function fetchEstimate(
  { headers, ...request }: PostedOperation,
  isSubscription: boolean,
): Promise<CallEstimate | null> {
  headers.set('X-Explain', 'estimate');
  // An older gateway does not have this type, so it rejects the operation. A stream cannot change anything.
  if (!isSubscription) headers.set('Accept', 'application/estimate+json');
  const response = await send({ ...request, headers });
  if (response.headers.get('X-Explain') !== 'estimate') {
    await response.body?.cancel();
    return null;
  }
  const { errors: [error] = [], extensions: { cost } = {} } = await readResult(response);
  if (error?.extensions?.code === 'OPERATION_TOO_EXPENSIVE')
    return { text: error.message, isTooExpensive: true };
  if (error?.extensions?.code?.startsWith('GRAPHQL_'))
    return { text: 'Fix the query to see its cost', isTooExpensive: false };
  if (error || cost?.estimatedCalls === undefined || !cost.maxCalls) return null;
  const isTooExpensive = cost.estimatedCalls > cost.maxCalls;
  const remedy = isTooExpensive ? ': select fewer records or lists, or some fields may be null' : '';
  const calls = `REST calls${cost.per ? ` per ${cost.per}` : ''}`;
  return { text: `at most ${cost.estimatedCalls} of ${cost.maxCalls} ${calls}${remedy}`, isTooExpensive };
}

export function isJson(response: Response): boolean {
  return response.headers.get('Content-Type')?.includes('json') ?? false;
}

/** Yields the results of a stream until it is complete. */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<Result> {
  const reader = body.getReader();
  const parser = new EventStreamParser();
  for (;;) {
    // The connection has closed if there is no value.
    const { value } = await reader.read().catch(() => ({ value: undefined }));
    if (!value)
      throw new RequestFailure('The connection closed before the stream was complete. Run it again.');
    for (const { event, data = '' } of parser.take(value)) {
      if (event === 'complete') return;
      const result = event === 'next' && parseJson(data);
      if (isResult(result)) yield result;
    }
  }
}

export function getErrorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
