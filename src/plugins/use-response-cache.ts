import type { DocumentCache } from '../documents/document-cache.ts';
import type { GatewayPlugin } from './context.ts';
import { cacheResponse, isFromCache, type ResponseCache } from './response-cache.ts';

/** The data is JSON already (`executed.json`), so that nothing reads it here. */
const CACHED = Object.freeze({ data: Object.freeze({}) });

/**
 * Answers an operation again if all REST responses behind it are in their cache. It stands behind all that finds the
 * document. Plugins of users see every operation executed, so with any of them there is no such cache.
 */
export function useResponseCache(responses: ResponseCache, documents: DocumentCache): GatewayPlugin {
  return {
    onParams({ params: { query = '', operationName, variables }, setResult, context }) {
      // An export is another response to the same document.
      if (context.exported) return;
      const { rest, observed } = context;
      const document = documents.documentCache.get(query);
      const slot = document && responses.slot({ document, operationName, variables }, rest);
      if (document && slot?.entry) {
        const { calls, json, bounds, compressed } = slot.entry.value;
        rest.recordEarlierCalls(calls);
        context.executed = { bounds, json, compressed };
        observed.isCachedResponse = true;
        observed.setDocument(document, operationName);
        setResult(CACHED);
      } else if (slot) {
        context.keepJson = (text, { planned, bounds }) => {
          if (planned === undefined || !isFromCache(planned, rest)) return;
          cacheResponse(slot, { json: Buffer.from(text, 'latin1'), bounds }, rest);
        };
      }
    },
  };
}
