import type { GatewayPlugin } from '../../request/context.ts';
import { paramsOf } from '../../request/params.ts';
import type { GatewayState } from '../gateway-state.ts';
import { startEntry } from '../sessions.ts';

/**
 * Hands on the parameters that `useOperation` has read, in place of Yoga's parsers, which take forms and echo what is not
 * JSON. Each operation of an array is read and begins here: what is wrong with it is an error in its place.
 */
export function useParams(state: GatewayState): GatewayPlugin {
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const { params, array } = serverContext;
      setRequestParser(() => array?.entries.map(() => ({})) ?? params ?? {});
    },
    onParams({ context, setParams }) {
      const { array } = context;
      if (array === undefined) return;
      const entry = array.entries[array.contexts.length];
      array.contexts.push(context);
      startEntry(context, state);
      setParams(paramsOf(entry, 'An operation of the array'));
    },
  };
}
