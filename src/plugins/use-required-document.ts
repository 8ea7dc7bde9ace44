import { requireDocument } from '../documents/document-params.ts';
import type { GatewayPlugin } from './context.ts';

/**
 * Refuses an operation without a document. It stands behind the plugins of users, one of which may have found a document
 * by its hash, and before Yoga's own check, which would not make a client send the text of a hash.
 */
export function useRequiredDocument(hasGraphiql: boolean): GatewayPlugin {
  return { onParams: ({ params }) => requireDocument(params, hasGraphiql) };
}
