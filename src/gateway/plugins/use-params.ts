import type { GatewayPlugin } from '../../request/context.ts';
import { findOrRegister, findTrusted } from '../../request/documents.ts';
import { paramsOf } from '../../request/params.ts';
import type { GatewayState } from '../gateway-state.ts';
import { startEntry } from '../sessions.ts';

/**
 * Hands on the parameters that `useOperation` has read, in place of Yoga's parsers, which take forms and echo what is not
 * JSON, and finds the document that they name. Each operation of an array is read and begins here: what is wrong with it
 * is an error in its place.
 */
export function useParams(state: GatewayState): GatewayPlugin {
  const { trustedDocuments, persisted } = state;
  return {
    onRequestParse({ serverContext: { params, array }, setRequestParser }) {
      setRequestParser(() => array?.entries.map(() => ({})) ?? params ?? {});
    },
    onParams({ params, context, setParams }) {
      const { array } = context;
      let found = params;
      if (array) {
        const entry = array.entries[array.contexts.length];
        array.contexts.push(context);
        startEntry(context, state);
        found = paramsOf(entry, 'An operation of the array');
      }
      const query = trustedDocuments
        ? findTrusted(trustedDocuments, found)
        : findOrRegister(persisted, found);
      if (query !== undefined && query !== found.query) setParams({ ...found, query });
      else if (found !== params) setParams(found);
    },
  };
}
