import type { DocumentNode } from 'graphql';
import { SharedPart } from '../../limits/shared-budget.ts';
import { weakMemoize } from '../../memoize.ts';
import type { GatewayContext, GatewayPlugin } from '../../request/context.ts';
import { type DocumentCache, documentBytes } from '../../request/documents/document-cache.ts';
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

/** Finds documents by the hashes that their caller registered them under: Apollo's automatic persisted queries. */
export function usePersistedDocuments(documents: PersistedDocuments): GatewayPlugin {
  return {
    onParams({ params, setParams, context: { owner } }) {
      const query = findOrRegister(documents, owner, params);
      if (query !== undefined && query !== params.query) setParams({ ...params, query });
    },
  };
}

const sharedPartOf = weakMemoize((document: DocumentNode) => new SharedPart(documentBytes(document)));

/** Parses and validates within limits. A document counts as memory as long as operations use it: it may be in no cache. */
export function useDocumentLimits(documents: DocumentCache): GatewayPlugin {
  return {
    onParse({ setParseFn }) {
      setParseFn(parseBounded);
      return holdDocument;
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

function holdDocument({ context, result }: { context: GatewayContext; result: DocumentNode | Error | null }) {
  if (result && !(result instanceof Error)) context.holding.share(sharedPartOf(result));
}

/** Refuses an operation without a document; Yoga's own check would not make a client send the text of a hash. */
export function useRequiredDocument(hasGraphiql: boolean): GatewayPlugin {
  return { onParams: ({ params }) => requireDocument(params, hasGraphiql) };
}
