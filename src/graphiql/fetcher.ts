import type { GraphiQLProps } from 'graphiql';
import { adviceOn } from './advice.ts';
import { type Answer, formatTiming, type Notes } from './answer.ts';
import { namesCredential, requestHeaders } from './headers.ts';
import { errorText, NoAnswer, readAnswer, readStream, send } from './send.ts';
import type { Session } from './session.ts';
import { withAdministration } from './tabs.ts';

type Fetcher = GraphiQLProps['fetcher'];

/** A subscription has an answer for each event, which takes the place of the one before. */
export function createFetcher(endpoint: string, session: Session) {
  async function* ask(signal: AbortSignal, ...[written, options]: Parameters<Fetcher>) {
    const operation = withAdministration(written, session.get().administrationId);
    const own = options?.headers ?? {};
    const isOwn = namesCredential(own);
    const noted = (answer: Answer, timing: string | null = null): Record<string, unknown> => {
      session.set({ lost: null });
      const advice = adviceOn(answer, isOwn);
      // What a tab sends of its own says nothing about the credentials of the session.
      if (!isOwn) session.set({ refusal: advice?.strip ?? null });
      const graphiql: Notes = { advice: advice?.text ?? null, timing, operation };
      return { ...answer, extensions: { ...answer.extensions, graphiql } };
    };
    const start = performance.now();
    try {
      const headers = requestHeaders(session.get(), own);
      const response = await send({ url: endpoint, headers, operation, signal });
      if (response.body && response.headers.get('Content-Type')?.startsWith('text/event-stream'))
        for await (const answer of readStream(response.body)) yield noted(answer);
      else {
        const answer = await readAnswer(response);
        yield noted(answer, formatTiming(performance.now() - start, response.headers.get('Server-Timing')));
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof NoAnswer)) throw new NoAnswer(`Request not sent. ${errorText(error)}`);
      session.set({ lost: error.message });
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
