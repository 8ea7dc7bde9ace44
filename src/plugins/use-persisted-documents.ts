import { findOrRegister, type PersistedDocuments } from '../documents/persisted-documents.ts';
import type { GatewayPlugin } from './context.ts';

/**
 * Finds documents by the hashes that their caller has registered them under (Apollo's automatic persisted queries). It
 * stands before all that reads the document, and so before the plugins of users, which see what is run, and may find
 * other documents themselves. Whether there is one is checked behind them.
 */
export function usePersistedDocuments(documents: PersistedDocuments): GatewayPlugin {
  return {
    onParams({ params, setParams, context: { owner } }) {
      const query = findOrRegister(documents, owner, params);
      if (query !== undefined && query !== params.query) setParams({ ...params, query });
    },
  };
}
