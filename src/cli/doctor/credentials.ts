import type { Config } from '../../config/index.ts';
import { basicAuthorization } from '../../request/credentials.ts';
import { createRestCache } from '../../rest/cache/rest-cache.ts';
import { createRestClient } from '../../rest/client/client.ts';
import { RestError } from '../../rest/errors.ts';
import { administrationsOf, introspect } from '../../rest/oauth.ts';
import { RestSession } from '../../rest/session.ts';
import { messageOf } from './lists.ts';
import type { Outcome, Report } from './report.ts';

/** A session without a cache and without a limit on its calls. */
export function openSession(
  url: URL,
  { application, parameterNames, restTimeoutMs }: Config,
  token: string,
): RestSession {
  const basic = application && basicAuthorization(application.clientId, application.clientSecret);
  const client = createRestClient({ url, timeoutMs: restTimeoutMs });
  const credentials = { bearer: `Bearer ${token}`, ...(basic && { basic }) };
  return new RestSession(
    { client, cache: createRestCache(0), parameterNames },
    { credentials, owner: 'doctor' },
  );
}

const UNKNOWN_TOKEN =
  'The token has expired, or belongs to another application: `viewer` answers only for tokens of this one.';

/** Introspects the token as `viewer` does, with the application that the gateway is configured with. */
export async function checkApplication(session: RestSession, token: string, report: Report) {
  const add = (outcome: Outcome, message: string, advice?: string) =>
    void report.add(outcome, 'application', message, advice);
  if (session.credentials.basic === undefined)
    return add('skipped', 'REST_CLIENT_ID and REST_CLIENT_SECRET are not set; `viewer` needs them');
  try {
    const introspection = await introspect(session, token, 'introspection');
    if (!introspection.active)
      return add('warned', 'accepted, but it does not know the token', UNKNOWN_TOKEN);
    const administrations = administrationsOf(introspection) ?? [];
    const reached = administrations.map(({ internalId, name }) => `${internalId} (${name})`);
    add('passed', `accepted; the token reaches ${reached.slice(0, 10).join(', ') || 'no administration'}`);
    return { administration: administrations[0]?.internalId, expiresAt: introspection.expiresAt };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const advice = error.code === 'UNAUTHENTICATED' ? 'Check REST_CLIENT_ID and REST_CLIENT_SECRET.' : '';
    return add('failed', messageOf(error), advice);
  }
}

/** Whether the service accepts the token, by what the lists that take it came to. */
export function checkToken(
  outcomes: readonly (RestError | undefined)[],
  expiresAt: string | null | undefined,
  report: Report,
): void {
  const add = (outcome: Outcome, message: string, advice?: string) =>
    report.add(outcome, 'token', message, advice);
  const [refusal] = outcomes.filter((error) => error?.code === 'FORBIDDEN');
  const [rejection] = outcomes.filter((error) => error?.code === 'UNAUTHENTICATED');
  const onAllowList = 'the address that connections leave from is on the IP allow list of its application';
  if (rejection && refusal) {
    // The service knew it before. What it said then may name the address that it saw, which nothing else tells.
    const message = `the service has just revoked it: ${messageOf(refusal)}`;
    add('failed', message, `See that ${onAllowList}, and get a new token.`);
  } else if (rejection)
    add('failed', messageOf(rejection), 'Check that it is whole, and has not expired or been revoked.');
  else if (outcomes.includes(undefined))
    add('passed', `accepted${expiresAt ? `; it expires at ${expiresAt}` : ''}`);
  else if (outcomes.every((error) => error?.code === 'FORBIDDEN')) {
    const advice = `Check its scopes, that it reaches the administration, and that ${onAllowList}.`;
    add('failed', 'no list may be read with it', advice);
  } else add('skipped', 'cannot tell: no list answers');
}
