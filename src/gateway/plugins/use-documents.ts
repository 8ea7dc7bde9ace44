import type { GatewayPlugin } from '../../request/context.ts';
import type { DocumentCache } from '../../request/documents/document-cache.ts';
import { parseBounded, validateBounded } from '../../request/documents/limits.ts';
import {
  findOrRegister,
  findTrusted,
  type PersistedDocuments,
  requireDocument,
} from '../../request/documents/stored-documents.ts';

/** Runs only the documents of a list, by their hashes. */
export function useTrustedDocuments(documents: ReadonlyMap<string, string>): GatewayPlugin {
  return {
    onParams({ params, setParams }) {
      setParams({ ...params, query: findTrusted(documents, params) });
    },
  };
}

/** Finds documents by the hashes that they were registered under: Apollo's automatic persisted queries. */
export function usePersistedDocuments(documents: PersistedDocuments): GatewayPlugin {
  return {
    onParams({ params, setParams }) {
      const query = findOrRegister(documents, params);
      if (query !== undefined && query !== params.query) setParams({ ...params, query });
    },
  };
}

/** Parses and validates within limits. */
export function useDocumentLimits(documents: DocumentCache): GatewayPlugin {
  return {
    onParse({ setParseFn }) {
      setParseFn(parseBounded);
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

/** Refuses an operation without a document; Yoga's own check would not make a client send the text of a hash. */
export function useRequiredDocument(hasGraphiql: boolean): GatewayPlugin {
  return { onParams: ({ params }) => requireDocument(params, hasGraphiql) };
}
