import type { GraphQLResolveInfo } from 'graphql';
import { planOf } from '../execution/operation.ts';
import { RestError } from '../rest/errors.ts';
import { administrationsOf, type Introspection } from '../rest/oauth.ts';
import { restMetadata } from './metadata.ts';

/** How many administrations a token is taken to reach when calls are estimated, before it is introspected. */
const MOST_ADMINISTRATIONS = 10;

/** Of the field that lists what a token reaches: lists below it are one call or more for each administration. */
export const REACHED = restMetadata({
  cost: () => ({
    reads: [],
    items: MOST_ADMINISTRATIONS,
    scope: { administrations: MOST_ADMINISTRATIONS },
  }),
});

/** All of them, unless REST calls would be made for more of them than were estimated. */
export function reached(token: Introspection, info: GraphQLResolveInfo) {
  const administrations = administrationsOf(token);
  const count = administrations?.length ?? 0;
  if (count <= MOST_ADMINISTRATIONS || planOf(info).isLocal) return administrations;
  throw new RestError(
    'OPERATION_TOO_EXPENSIVE',
    `The token reaches ${count} administrations, and below this field lists are read for at most ` +
      `${MOST_ADMINISTRATIONS}. Ask for their ids alone, then for each by \`administration(id: …)\`.`,
  );
}
