import type { GraphiQLProps } from 'graphiql';
import { isEventStream, readEvents } from './event-stream.ts';
import { isRecord, parseJson } from './json.ts';
import { namesCredential, requestHeaders } from './request-headers.ts';
import { messageOf, NoAnswer, sendForJson, whole } from './send.ts';
import { formatServerTiming } from './server-timing.ts';
import type { Session } from './session.ts';

type Fetcher = GraphiQLProps['fetcher'];
/** What GraphiQL shows as an answer. */
type Result = Extract<Awaited<ReturnType<Fetcher>>, { data?: unknown }>;

const INTROSPECTION = 'IntrospectionQuery';

/**
 * Sends an operation with the credentials of the session, and requests the list of REST calls behind the response. The
 * gateway answers a subscription with a stream, each event of which takes the place of the answer.
 */
export function createFetcher(endpoint: string, session: Session): Fetcher {
  return async (operation, options) => {
    const own = options?.headers ?? {};
    // What a tab sends of its own says nothing about the credentials of the session.
    const noteRefusal = (result: unknown) => {
      if (!namesCredential(own)) session.set({ refusal: refusalIn(result) });
    };
    const abort = new AbortController();
    try {
      const headers = requestHeaders(session.get(), own);
      const response = await sendForJson({ url: endpoint, headers, operation, signal: abort.signal });
      session.set({ lost: null });
      // GraphiQL asks for the schema by itself: that is no answer which a user has waited for.
      if (operation.operationName !== INTROSPECTION)
        session.set({ timing: formatServerTiming(response.headers.get('Server-Timing')) });
      if (isEventStream(response)) return stoppable(readResults(response, abort.signal, noteRefusal), abort);
      const body = await whole(response.json());
      noteRefusal(body);
      return body;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw new NoAnswer(`Request not sent. ${messageOf(error)}`);
      session.set({ lost: error.message });
      throw error;
    }
  };
}

/** The results of a stream, until it is complete or stopped. */
async function* readResults(
  { body }: Response,
  signal: AbortSignal,
  onResult: (result: unknown) => void,
): AsyncGenerator<Result> {
  try {
    for await (const events of body ? readEvents(body) : []) {
      for (const { type, data } of events) {
        if (type === 'complete') return;
        if (type !== 'next') continue;
        const result = parseJson(data);
        onResult(result);
        if (isRecord(result)) yield result;
      }
    }
  } catch {
    // Told below: the connection is gone.
  }
  if (!signal.aborted) throw new NoAnswer('The connection ended before the stream did. Run it again.');
}

/** A generator that waits for an event cannot be told to stop, but its connection can be closed. */
function stoppable<T>(results: AsyncGenerator<T>, abort: AbortController): AsyncIterableIterator<T> {
  return {
    next: () => results.next(),
    return() {
      abort.abort();
      return results.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What the gateway says of a credential that is missing or was refused. */
export function refusalIn(body: unknown): string | null {
  const refusal = errorsIn(body).find(({ code }) => code === 'UNAUTHENTICATED' || code === 'FORBIDDEN');
  return refusal?.message ?? null;
}

export interface AnswerError {
  readonly message: string;
  readonly code: unknown;
  readonly extensions: Readonly<Record<string, unknown>>;
}

export function errorsIn(body: unknown): AnswerError[] {
  if (!isRecord(body) || !Array.isArray(body.errors)) return [];
  return body.errors.filter(isRecord).map(({ message, extensions: given }) => {
    const extensions = isRecord(given) ? given : {};
    return { message: String(message), code: extensions.code, extensions };
  });
}
