import type { GraphQLResolveInfo } from 'graphql';
import { planOf } from '../execution/operation.ts';
import { RestError } from '../rest/errors.ts';
import { administrationsOf, type Introspection } from '../rest/oauth.ts';
import type { Context } from './context.ts';
import { restMetadata } from './metadata.ts';

/** For fields that list the administrations of a token: nested lists take at least one call per administration. */
export const REACHABLE_EXTENSIONS = restMetadata({
  cost: (_args, { assumptions: { administrations } }) => ({
    reads: [],
    items: administrations,
    scope: { administrations },
  }),
});

/** Throws if nested fields would make REST calls for more administrations than estimated. */
export function reachableAdministrations(
  token: Introspection,
  { assumptions, rest }: Context,
  info: GraphQLResolveInfo,
) {
  const administrations = administrationsOf(token);
  const count = administrations?.length ?? 0;
  if (count <= assumptions.administrations || planOf(info).isLocal) return administrations;
  // Only what a query has read of the caller's own token is known to its next estimate.
  const isKnown = rest.cache.isEnabled && info.parentType.name === 'Viewer';
  const advice = isKnown
    ? 'That is known now: send the operation again.'
    : 'Ask for their ids alone, then for each by `administration(id: …)`.';
  throw new RestError(
    'OPERATION_TOO_EXPENSIVE',
    `The token reaches ${count} administrations, and ${assumptions.administrations} were estimated. ${advice}`,
  );
}
