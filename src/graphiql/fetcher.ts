import type { GraphiQLProps } from 'graphiql';
import { getAdvice } from './advice.ts';
import { buildRequestHeaders, namesCredential } from './headers.ts';
import { formatTiming, type PageNotes, type Result } from './result.ts';
import { getErrorText, RequestFailure, readResult, readStream, send } from './send.ts';
import type { Session } from './session.ts';
import { withAdministration } from './tabs.ts';

type Fetcher = GraphiQLProps['fetcher'];

/** A subscription has an answer for each event, which takes the place of the one before. */
export function createFetcher(endpoint: string, session: Session) {
  async function* ask(signal: AbortSignal, ...[written, options]: Parameters<Fetcher>) {
    const operation = withAdministration(written, session.get().administrationId);
    const own = options?.headers ?? {};
    const hasTabCredential = namesCredential(own);
    const withNotes = (answer: Result, timing: string | null = null): Record<string, unknown> => {
      session.set({ connectionError: null });
      const advice = getAdvice(answer, hasTabCredential);
      // What a tab sends of its own says nothing about the credentials of the session.
      if (!hasTabCredential) session.set({ credentialError: advice?.summary ?? null });
      const graphiql: PageNotes = { advice: advice?.text ?? null, timing, operation };
      return { ...answer, extensions: { ...answer.extensions, graphiql } };
    };
    const start = performance.now();
    try {
      const headers = buildRequestHeaders(session.get(), own);
      const response = await send({ url: endpoint, headers, operation, signal });
      if (response.body && response.headers.get('Content-Type')?.startsWith('text/event-stream'))
        for await (const answer of readStream(response.body)) yield withNotes(answer);
      else {
        const answer = await readResult(response);
        yield withNotes(
          answer,
          formatTiming(performance.now() - start, response.headers.get('Server-Timing')),
        );
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RequestFailure))
        throw new RequestFailure(`Request not sent. ${getErrorText(error)}`);
      session.set({ connectionError: error.message });
      throw error;
    }
  }

  return (...request: Parameters<Fetcher>) => {
    const controller = new AbortController();
    const answers = ask(controller.signal, ...request);
    const end = answers.return.bind(answers);
    // GraphiQL stops what runs so. A generator that waits cannot be told to end, but its request can.
    answers.return = (result) => {
      controller.abort();
      return end(result);
    };
    return answers;
  };
}
