import { findTrusted } from '../documents/trusted-documents.ts';
import type { GatewayPlugin } from './context.ts';

/**
 * Runs only the documents of a list, by their hashes. It stands before all that reads the document, and so before the
 * plugins of users, which see what is run.
 */
export function useTrustedDocuments(documents: ReadonlyMap<string, string>): GatewayPlugin {
  return {
    onParams({ params, setParams }) {
      setParams({ ...params, query: findTrusted(documents, params) });
    },
  };
}
