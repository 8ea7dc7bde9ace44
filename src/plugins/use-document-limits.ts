import { type DocumentCache, documentBytes } from '../documents/document-cache.ts';
import { parseBounded, validateBounded } from '../documents/limits.ts';
import type { GatewayPlugin } from './context.ts';

/**
 * Parses and validates documents within limits, and counts what new ones take of the operation's memory. Yoga calls this
 * only for documents that are not in its cache. It stands before the plugins of users, which may add rules.
 */
export function useDocumentLimits(documents: DocumentCache): GatewayPlugin {
  return {
    onParse({ context, setParseFn }) {
      setParseFn((source: string) => {
        const document = parseBounded(source);
        context.holding.add(documentBytes(document));
        return document;
      });
    },
    onValidate({ setValidationFn }) {
      setValidationFn((schema, document, rules) => {
        const errors = validateBounded(schema, document, rules);
        documents.validated(document, errors);
        return errors;
      });
    },
  };
}
