import type { GraphiQLProps } from 'graphiql';
import { isObject } from '../rest/json.ts';
import { adviceOn, annotate } from './advice.ts';
import { namesCredential, requestHeaders } from './curl.ts';
import { formatTiming } from './explain.ts';
import type { RunHistory } from './history.ts';
import { errorText, isEventStream, NoAnswer, readResults, sendForJson, whole } from './send.ts';
import type { Session } from './session.ts';
import { withAdministration } from './tabs.ts';

type Fetcher = GraphiQLProps['fetcher'];

/** The gateway answers a subscription with a stream, each event of which takes the place of the answer. */
export function createFetcher(endpoint: string, session: Session, history?: RunHistory): Fetcher {
  return async (written, options) => {
    // GraphiQL asks for the schema by itself: that is nothing which a user runs.
    const isOfUser = written.operationName !== 'IntrospectionQuery';
    const { token, clientSecret, administrationId: chosen } = session.get();
    const text = written.variables ? JSON.stringify(written.variables, null, 2) : '';
    const run = { query: written.query, variables: text, operationName: written.operationName ?? undefined };
    if (isOfUser) history?.add(run, [token, clientSecret]);
    const operation = withAdministration(written, chosen);
    // Variables that the query does not have stay in their pane.
    const used = Object.entries(operation.variables ?? {}).filter(([name]) =>
      operation.query.includes(`$${name}`),
    );
    const isOfChosen = JSON.stringify(Object.fromEntries(used)).includes(
      `"administrationId":${JSON.stringify(chosen)}`,
    );
    const administrationId = isOfChosen ? chosen : null;
    const own = options?.headers ?? {};
    const isOwn = namesCredential(own);
    const annotated = (answer: Record<string, unknown>, timing: string | null) => {
      const advice = adviceOn(answer, isOwn);
      // What a tab sends of its own says nothing about the credentials of the session.
      if (!isOwn) session.set({ refusal: advice?.strip ?? null });
      return annotate(answer, { advice: advice?.text ?? null, timing, administrationId, operation });
    };
    const abort = new AbortController();
    const start = performance.now();
    try {
      const headers = requestHeaders(session.get(), own);
      const response = await sendForJson({ url: endpoint, headers, operation, signal: abort.signal });
      session.set({ lost: null });
      if (response.body && isEventStream(response))
        return stoppable(response.body, (answer) => annotated(answer, null), abort);
      const body = await whole(response.json());
      const timing = formatTiming(performance.now() - start, response.headers.get('Server-Timing'));
      return isObject(body) ? annotated(body, timing) : body;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw new NoAnswer(`Request not sent. ${errorText(error)}`);
      session.set({ lost: error.message });
      throw error;
    }
  };
}

/** A generator that waits for an event cannot be told to stop, but its connection can be closed. */
function stoppable<T>(
  body: ReadableStream<Uint8Array>,
  annotated: (result: Record<string, unknown>) => T,
  abort: AbortController,
): AsyncGenerator<T> {
  async function* read() {
    try {
      for await (const { results: told } of readResults(body)) yield* told.map(annotated);
    } catch (error) {
      if (!abort.signal.aborted) throw error;
    }
  }
  const results = read();
  const stop = results.return.bind(results);
  results.return = (value) => {
    abort.abort();
    return stop(value);
  };
  return results;
}
