import type { RestResponse } from './client/attempt.ts';
import type { Cancellation } from './client/cancellation.ts';
import { RestError } from './errors.ts';
import { type Introspection, introspectionCall, introspectionIn } from './oauth.ts';
import type { RestSession } from './session.ts';

/** Introspects the caller's own token; cached and coalesced like other reads with that token. */
export async function introspectCaller(session: RestSession): Promise<Introspection> {
  const token = session.credentials.bearer?.replace(/^\S+ +/, '');
  if (token === undefined) {
    throw new RestError('UNAUTHENTICATED', 'Send the header `Authorization: Bearer <access token>`.');
  }
  const call = introspectionCall(token, 'introspection');
  const { generation, key } = slotOf(session);
  const { entry } = generation.introspection(key);
  if (entry !== undefined && !session.bypassCache) {
    session.recordCacheHit(call, null, entry.expiresAt);
    session.hold(entry.bytes);
    return introspectionIn(entry.value);
  }
  const send = async (cancellation: Cancellation): Promise<RestResponse> => {
    const read = (response: RestResponse) => ({ response, introspection: introspectionIn(response) });
    const { response, introspection } = await session.receive(call, read, cancellation);
    // Inactive tokens are not cached: they may become active at any moment.
    if (introspection.active)
      generation.introspection(key).set({ body: response.body }, response.heldBytes ?? response.bytes);
    return response;
  };
  const since = session.bypassCache ? session.startedAt : undefined;
  const { isCoalesced, response } = generation.inFlight.introspections.join(
    { key, fields: {}, since },
    session.cancellation,
    send,
  );
  if (!isCoalesced) return introspectionIn(await response);
  const shared = await session.awaitCoalesced(call, response);
  session.hold(shared.bytes);
  return introspectionIn(shared);
}

/**
 * An introspection depends on two credentials, and is invalidated with either. The key contains only keyed hashes of
 * them.
 */
function slotOf(session: RestSession) {
  const application = session.generation('introspection');
  return { generation: session.generation('bearer'), key: `introspection by ${application.name}` };
}
