import { createClient, type ExecutionResult, NetworkError, type RequestParams, type Sink } from 'graphql-sse';
import { gatewayFetch } from './gateway-fetch.ts';

interface Data {
  readonly changes: { readonly cursor: string };
}
type Result = ExecutionResult<Data> & { data: Data };

/** Subscribes to `changes`; the selection needs `cursor`. If the stream breaks or ends, resumes after it. */
export function follow(request: RequestParams, sink: Sink<Result>) {
  let cursor = '';
  const client = createClient({
    url: 'http://localhost:4000/graphql',
    async fetchFn(input: string, init: RequestInit) {
      const response = await gatewayFetch(input, init);
      // The start of the stream, in case the connection breaks before the first event.
      cursor = response.headers.get('Last-Event-ID') ?? cursor;
      return response;
    },
    headers: (): Record<string, string> => (cursor ? { 'Last-Event-ID': cursor } : {}),
    retryAttempts: Number.POSITIVE_INFINITY,
    async retry(retries) {
      const milliseconds = Math.min(1_000 * 2 ** retries, 20_000) * (0.5 + Math.random());
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
    },
  });
  return client.subscribe<Data, Record<string, unknown>>(request, {
    next(result) {
      const { data, errors: [error] = [] } = result;
      const { message = '', extensions = {} } = error ?? {};
      const lastCursor = data?.changes.cursor ?? extensions.cursor;
      if (typeof lastCursor === 'string') cursor = lastCursor;
      if (data) return sink.next({ ...result, data });
      // A notice: the stream continues.
      if (extensions.ends === false) return;
      // The gateway restarts or the token has expired: graphql-sse retries after this error.
      if (lastCursor) throw new NetworkError(message);
      throw Object.assign(new Error(message), extensions);
    },
    error: (reason) => sink.error(reason),
    complete: () => sink.complete(),
  });
}
