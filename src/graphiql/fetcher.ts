import type { GraphiQLProps } from 'graphiql';
import { adviceOn } from './advice.ts';
import { type Answer, formatTiming, type Notes } from './answer.ts';
import { namesCredential, requestHeaders } from './headers.ts';
import { errorText, NoAnswer, readAnswer, readStream, send } from './send.ts';
import type { Session } from './session.ts';
import { withAdministration } from './tabs.ts';

/** The gateway answers a subscription with a stream, each event of which takes the place of the answer. */
export function createFetcher(endpoint: string, session: Session): GraphiQLProps['fetcher'] {
  return async (written, options) => {
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
      const response = await send({ url: endpoint, headers, operation });
      if (response.body && response.headers.get('Content-Type')?.startsWith('text/event-stream'))
        return readStream(response.body, (answer) => noted(answer));
      const answer = await readAnswer(response);
      return noted(answer, formatTiming(performance.now() - start, response.headers.get('Server-Timing')));
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw new NoAnswer(`Request not sent. ${errorText(error)}`);
      session.set({ lost: error.message });
      throw error;
    }
  };
}
