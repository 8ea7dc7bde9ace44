import { credentialsOf } from '../gateway/credentials.ts';
import type { RestError } from '../rest/errors.ts';
import { dateTime, type Introspection } from '../rest/oauth.ts';
import type { RestSession } from '../rest/session.ts';
import { type Finding, failed, passed, skipped, wordsOf } from './finding.ts';
import type { Sample } from './sample.ts';

const CHECK = 'token';

const ALLOW_LIST = 'that the address of this machine is on the IP allow list of its application';

/** What is wrong with a token before it is used at all; undefined where nothing is. */
export function faultOfToken(token: string): Finding | undefined {
  if (token === '') {
    return failed(CHECK, 'not given, so nothing behind it is checked', 'Set DOCTOR_TOKEN to a bearer token.');
  }
  if (credentialsOf({ authorization: `Bearer ${token}` }).bearer === undefined) {
    const advice = 'Give the token alone, in one line and without `Bearer`.';
    return failed(CHECK, 'it holds a character that no token has', advice);
  }
  return undefined;
}

/** A token as the answers of the lists show it. */
export function judgeToken(
  session: RestSession,
  samples: readonly Sample[],
  introspection: Introspection | undefined,
): Finding {
  const refused = samples.find(({ error }) => error?.code === 'UNAUTHENTICATED')?.error;
  if (refused) return refusedToken(session, refused);
  if (samples.some(({ error }) => error === undefined)) {
    const { exp } = introspection ?? {};
    const end = typeof exp === 'number' ? `; it expires at ${dateTime(exp) ?? 'no moment'}` : '';
    return passed(CHECK, `accepted${end}`);
  }
  if (samples.every(({ error }) => error?.code === 'FORBIDDEN')) {
    const advice = `Check that the token has scopes to read, that it reaches the administration, and ${ALLOW_LIST}.`;
    return failed(CHECK, 'no list may be read with it', advice);
  }
  return skipped(CHECK, 'cannot tell: no list answers');
}

/** Whether it was wrong from the start, or has been taken back since: a 403 shows that it was known. */
export function refusedToken({ calls }: RestSession, error: RestError): Finding {
  return calls.some(({ status }) => status === 403)
    ? failed(CHECK, 'the service has just revoked it', `Check ${ALLOW_LIST}, and get a new token.`)
    : failed(CHECK, wordsOf(error), 'Check that the token is whole, and has not expired or been revoked.');
}
