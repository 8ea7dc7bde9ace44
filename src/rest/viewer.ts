import type { RestResponse } from './attempt.ts';
import type { Caller } from './caller.ts';
import { RestError } from './errors.ts';
import { type Introspection, introspectionCall, introspectionIn } from './oauth.ts';
import { callRest, generationOf, noteRemembered, type RestSession, shareCall } from './session.ts';

/** What the service says of the caller's own token; cached and shared as other reads of that token are. */
export async function introspectCaller(session: RestSession): Promise<Introspection> {
  const token = session.credentials.bearer?.replace(/^\S+ +/, '');
  if (token === undefined) {
    throw new RestError('UNAUTHENTICATED', 'Send the header `Authorization: Bearer <access token>`.');
  }
  const call = introspectionCall(token, 'introspection');
  const application = generationOf(session, 'introspection');
  const generation = generationOf(session, 'bearer');
  // Two credentials take part, and what either has cached ends with it. Both stand here as keyed hashes.
  const key = `introspection by ${application.name}`;
  const { known } = generation.at(key);
  if (known !== undefined && !session.fresh) {
    noteRemembered(session, call, null, known.until);
    session.hold(known.bytes);
    return introspectionIn({ body: known.made });
  }
  const wanted = { key, fields: {}, since: session.fresh ? session.startedAt : undefined };
  const send = async (callers: Caller): Promise<RestResponse> => {
    const response = await callRest(session, call, callers);
    // Nothing is kept of a token that is not active: it may become active at any moment.
    if (introspectionIn(response).active) {
      generation.at(key).remember({ made: response.body, fields: {}, bytes: response.bytes });
    }
    return response;
  };
  const { joined, answer } = generation.introspections.join(wanted, session.caller, send);
  const response = await (joined ? shareCall(session, call, answer) : answer);
  if (joined) session.hold(response.bytes);
  return introspectionIn(response);
}
