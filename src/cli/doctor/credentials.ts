import type { Config } from '../../config/index.ts';
import { basicAuthorization } from '../../request/credentials.ts';
import { createRestCache } from '../../rest/cache/rest-cache.ts';
import { createRestClient } from '../../rest/client/client.ts';
import { RestError } from '../../rest/errors.ts';
import { administrationsOf, introspect } from '../../rest/oauth.ts';
import { RestSession } from '../../rest/session.ts';
import { messageOf } from './lists.ts';
import type { Report } from './report.ts';

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
  const check = 'application';
  if (session.options.credentials.basic === undefined)
    return void report.skipped(
      check,
      'REST_CLIENT_ID and REST_CLIENT_SECRET are not set; `viewer` needs them',
    );
  try {
    const introspection = await introspect(session, token, 'introspection');
    if (!introspection.active)
      return void report.warned(check, 'accepted, but it does not know the token', UNKNOWN_TOKEN);
    const administrations = administrationsOf(introspection) ?? [];
    const names = administrations.slice(0, 10).map(({ internalId, name }) => `${internalId} (${name})`);
    report.passed(check, `accepted; the token reaches ${names.join(', ') || 'no administration'}`);
    return { administration: administrations[0]?.internalId, expiresAt: introspection.expiresAt };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const isRefused = error.code === 'UNAUTHENTICATED';
    report.failed(check, messageOf(error), isRefused ? 'Check REST_CLIENT_ID and REST_CLIENT_SECRET.' : '');
    return undefined;
  }
}

/** Whether the service accepts the token, by what the lists that take it came to: undefined for one that answers. */
export function checkToken(
  outcomes: readonly (RestError | undefined)[],
  expiresAt: string | null | undefined,
  report: Report,
): void {
  const [refusal] = outcomes.filter((error) => error?.code === 'FORBIDDEN');
  const [rejection] = outcomes.filter((error) => error?.code === 'UNAUTHENTICATED');
  const onAllowList = 'the address that connections leave from is on the IP allow list of its application';
  if (rejection && refusal) {
    // The service knew it before. What it said then may name the address that it saw, which nothing else tells.
    const message = `the service has just revoked it: ${messageOf(refusal)}`;
    report.failed('token', message, `See that ${onAllowList}, and get a new token.`);
  } else if (rejection) {
    const advice = 'Check that it is whole, and has not expired or been revoked.';
    report.failed('token', messageOf(rejection), advice);
  } else if (outcomes.includes(undefined)) {
    report.passed('token', `accepted${expiresAt ? `; it expires at ${expiresAt}` : ''}`);
  } else if (outcomes.every((error) => error?.code === 'FORBIDDEN')) {
    const advice = `Check its scopes, that it reaches the administration, and that ${onAllowList}.`;
    report.failed('token', 'no list may be read with it', advice);
  } else report.skipped('token', 'cannot tell: no list answers');
}
