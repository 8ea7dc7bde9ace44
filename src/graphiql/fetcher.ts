import type { GraphiQLProps } from 'graphiql';
import { findAdvice } from './advice.ts';
import { buildRequestHeaders, getTokenSource } from './headers.ts';
import { formatTiming, type PageNotes, type Result } from './result.ts';
import { getErrorText, RequestFailure, readResult, readStream, send } from './send.ts';
import type { Session } from './session.ts';
import { withAdministration } from './tabs.ts';

type Fetcher = GraphiQLProps['fetcher'];

/** More events would make the page slow. */
const MAX_EVENTS = 100;

/** Returns the function by which GraphiQL runs operations. Each result of a subscription includes the earlier ones. */
export function createFetcher(endpoint: string, session: Session) {
  async function* execute(signal: AbortSignal, ...[request, options]: Parameters<Fetcher>) {
    const operation = withAdministration(request, session.get().administrationId);
    const tabHeaders = options?.headers ?? {};
    const source = getTokenSource(session.get(), tabHeaders);
    const withNotes = (result: Result, notes: Partial<PageNotes>): Record<string, unknown> => {
      const advice = findAdvice(result, source);
      session.set({ connectionError: null });
      // A rejected credential of the tab says nothing about those of the session.
      if (source !== 'tab') session.set({ credentialError: advice?.summary ?? null });
      const graphiql: PageNotes = { advice: advice?.text ?? null, timing: null, operation, ...notes };
      return { ...result, extensions: { ...result.extensions, graphiql } };
    };
    const start = performance.now();
    let events: Result[] = [];
    try {
      const headers = buildRequestHeaders(session.get(), tabHeaders);
      const response = await send({ url: endpoint, headers, operation, signal });
      if (response.body && response.headers.get('Content-Type')?.startsWith('text/event-stream'))
        for await (const result of readStream(response.body)) {
          events = [result, ...events].slice(0, MAX_EVENTS);
          yield withNotes(result, { events });
        }
      else {
        const result = await readResult(response);
        const timing = formatTiming(performance.now() - start, response.headers.get('Server-Timing'));
        yield withNotes(result, { timing });
      }
    } catch (error) {
      if (signal.aborted) return;
      const message = getErrorText(error);
      if (!(error instanceof RequestFailure)) throw new RequestFailure(`Request not sent. ${message}`);
      if (events.length > 0)
        yield withNotes({ errors: [{ message }] }, { events: [{ errors: [{ message }] }, ...events] });
      session.set({ connectionError: message });
      if (events.length === 0) throw error;
    }
  }

  return (...request: Parameters<Fetcher>) => {
    const controller = new AbortController();
    const results = execute(controller.signal, ...request);
    const end = results.return.bind(results);
    // GraphiQL calls `return` to stop. That cannot interrupt a generator that waits, but it can abort its request.
    results.return = (result) => {
      controller.abort();
      return end(result);
    };
    return results;
  };
}
