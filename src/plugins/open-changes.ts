import type { Caller as ChangesCaller } from '../changes/caller.ts';
import type { OpenChanges } from '../changes/change.ts';
import { authorizationFor } from '../rest/authorization.ts';
import type { RestSession } from '../rest/session.ts';
import { introspectCaller } from '../rest/viewer.ts';
import type { GatewayContext } from './context.ts';
import { type Caller, createRest, type RestSessionOptions } from './rest-sessions.ts';

/** Streams of changes are read with the caller's credential, apart from the operation that has opened them. */
export function openChanges(
  options: RestSessionOptions,
  {
    credentials,
    client,
    cancellation: ofOperation,
    rest,
    holding,
  }: Caller & Pick<GatewayContext, 'rest' | 'holding'>,
): OpenChanges {
  return (request) => {
    const cache = options.cache.credential(authorizationFor(credentials, 'bearer'));
    const owner = () => cache.owner(client?.address);
    const caller: ChangesCaller = {
      credential: cache.hash,
      createRest: (cancellation, holdPages) =>
        createRest(
          options,
          { cancellation, credentials, owner: owner(), bypassCache: true, tracer: undefined },
          { hold: holdPages, storesLists: false, keepsCalls: false },
        ),
      dropCached: () => cache.invalidate(),
      hold: (onEvict) => options.operations.hold(owner(), onEvict),
    };
    return options.feeds.open(caller, request, {
      cancellation: ofOperation,
      hold: (bytes) => holding.add(bytes),
      expiresAt: expiryOf(rest),
    });
  };
}

/** When the caller's token expires, if an application is there to ask. */
async function expiryOf(rest: RestSession): Promise<number | undefined> {
  const { basic, own } = rest.credentials;
  if (basic === undefined && own === undefined) return undefined;
  try {
    const { exp } = await introspectCaller(rest);
    return typeof exp === 'number' ? exp * 1_000 : undefined;
  } catch {
    // A token that is refused is told by what it reads.
    return undefined;
  }
}
