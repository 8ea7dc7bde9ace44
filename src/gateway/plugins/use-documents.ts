import type { GatewayPlugin } from '../../request/context.ts';
import { type DocumentCache, documentBytes } from '../../request/documents/document-cache.ts';
import { parseBounded, validateBounded } from '../../request/documents/limits.ts';
import {
  findOrRegister,
  findTrusted,
  type PersistedDocuments,
  requireDocument,
} from '../../request/documents/stored-documents.ts';

/** Runs only the documents of a list. It stands before all that reads the document, plugins of users included. */
export function useTrustedDocuments(documents: ReadonlyMap<string, string>): GatewayPlugin {
  return {
    onParams({ params, setParams }) {
      setParams({ ...params, query: findTrusted(documents, params) });
    },
  };
}

/**
 * Finds documents by the hashes that their caller has registered them under (Apollo's automatic persisted queries). It
 * stands before the plugins of users, which may find others themselves; whether there is one is checked behind them.
 */
export function usePersistedDocuments(documents: PersistedDocuments): GatewayPlugin {
  return {
    onParams({ params, setParams, context: { owner } }) {
      const query = findOrRegister(documents, owner, params);
      if (query !== undefined && query !== params.query) setParams({ ...params, query });
    },
  };
}

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

/**
 * Refuses an operation without a document. It stands behind the plugins of users, one of which may have found a document
 * by its hash, and before Yoga's own check, which would not make a client send the text of a hash.
 */
export function useRequiredDocument(hasGraphiql: boolean): GatewayPlugin {
  return { onParams: ({ params }) => requireDocument(params, hasGraphiql) };
}
