import { isIP } from 'node:net';
import type { Config } from '../../config/index.ts';
import { basicAuthorization, credentialsOf } from '../../request/credentials.ts';
import { createRestCache } from '../../rest/cache/rest-cache.ts';
import { createRestClient } from '../../rest/client/client.ts';
import { RestError } from '../../rest/errors.ts';
import { administrationsOf, dateTime, introspect } from '../../rest/oauth.ts';
import { RestSession } from '../../rest/session.ts';
import type { Named } from '../../rest/tokens.ts';
import { type FirstRows, messageOf } from './lists.ts';
import type { Report } from './report.ts';

/** A session without a cache and without a limit on its calls. */
export function openSession(
  url: URL,
  { application, parameterNames, restTimeoutMs }: Config,
  token: string,
): RestSession {
  const basic = application && basicAuthorization(application.clientId, application.clientSecret);
  return new RestSession({
    client: createRestClient({ url, timeoutMs: restTimeoutMs }),
    cache: createRestCache(0),
    credentials: { bearer: `Bearer ${token}`, ...(basic && { basic }) },
    owner: 'doctor',
    parameterNames,
  });
}

/** Whether the token may be valid, so that it can be sent. */
export function checkTokenFormat(token: string, report: Report): boolean {
  if (credentialsOf({ authorization: `Bearer ${token}` }).bearer !== undefined) return true;
  const [message, advice] =
    token === ''
      ? ['not given, so nothing behind it is checked', 'Set DOCTOR_TOKEN to a bearer token.']
      : ['it holds a character that no token has', 'Give the token alone, in one line and without `Bearer`.'];
  report.add('failed', 'token', message, advice);
  return false;
}

const UNKNOWN_TOKEN =
  'The token has expired, or belongs to another application: `viewer` answers only for tokens of this one.';

/** Introspects the token as `viewer` does, with the application that the gateway is configured with. */
export async function checkApplication(session: RestSession, token: string, report: Report) {
  const check = 'application';
  if (session.credentials.basic === undefined)
    return void report.add(
      'skipped',
      check,
      'REST_CLIENT_ID and REST_CLIENT_SECRET are not set; `viewer` needs them',
    );
  try {
    const introspection = await introspect(session, token, 'introspection');
    if (!introspection.active)
      return void report.add('warned', check, 'accepted, but it does not know the token', UNKNOWN_TOKEN);
    const administrations = administrationsOf(introspection) ?? [];
    const name = introspection.company?.name;
    const reached = `${administrations.length} ${administrations.length === 1 ? 'administration' : 'administrations'}`;
    report.add('passed', check, `accepted; the token reaches ${reached}${name ? ` of ${name}` : ''}`);
    return { ...introspection, administrations };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const advice = error.code === 'UNAUTHENTICATED' ? 'Check REST_CLIENT_ID and REST_CLIENT_SECRET.' : '';
    return void report.add('failed', check, messageOf(error), advice);
  }
}

/** The administration to read from: the requested one, or the first that the token reaches; undefined if there is none. */
export function chooseAdministration(
  requested: string | undefined,
  administrations: readonly Named[],
  report: Report,
): string | undefined {
  const check = 'administration';
  const ids = administrations.map(({ internalId }) => internalId);
  const [first] = administrations;
  const advice =
    ids.length > 0 ? `Pass one that it does: ${ids.slice(0, 10).join(', ')}.` : 'Pass --administration <id>.';
  if (requested !== undefined && ids.length > 0 && !ids.includes(requested))
    return void report.add('failed', check, `the token does not reach ${requested}`, advice);
  if (requested !== undefined) report.add('passed', check, `${requested}, as asked for`);
  else if (first)
    report.add('passed', check, `${first.internalId} (${first.name}), the first that the token reaches`);
  else report.add('failed', check, 'none is known', advice);
  return requested ?? ids[0];
}

const ALLOW_LIST = 'on the IP allow list of its application';
const CHECK_ALLOW_LIST = `Check that the address of this machine is ${ALLOW_LIST}`;

/** Whether the service accepts the token, by the responses of the lists that take it. */
export function checkToken(rows: FirstRows, exp: number | null | undefined, report: Report): void {
  const results = [...rows].filter(([{ credential }]) => credential === 'bearer').map(([, result]) => result);
  const errorOf = (code: string) => results.find(({ error }) => error?.code === code)?.error;
  const [rejection, refusal] = [errorOf('UNAUTHENTICATED'), errorOf('FORBIDDEN')];
  const add = (outcome: 'failed' | 'passed' | 'skipped', message: string, advice?: string) =>
    report.add(outcome, 'token', message, advice);
  if (rejection && refusal) {
    // The service knew it before. What it said then may name the address that it saw, which nothing else tells.
    const said = messageOf(refusal);
    const address = addressIn(said);
    const fix = address ? `Put ${address} ${ALLOW_LIST}` : CHECK_ALLOW_LIST;
    const why = address ? `, since it came from ${address}` : `: ${said}`;
    add('failed', `the service has just revoked it${why}`, `${fix}, and get a new token.`);
  } else if (rejection)
    add(
      'failed',
      messageOf(rejection),
      'Check that the token is whole, and has not expired or been revoked.',
    );
  else if (results.some(({ error }) => error === undefined)) {
    const expiry = typeof exp === 'number' ? dateTime(exp) : undefined;
    add('passed', `accepted${expiry ? `; it expires at ${expiry}` : ''}`);
  } else if (results.every(({ error }) => error?.code === 'FORBIDDEN')) {
    const advice = `Check that the token has scopes to read, and reaches the administration. ${CHECK_ALLOW_LIST}.`;
    add('failed', 'no list may be read with it', advice);
  } else add('skipped', 'cannot tell: no list answers');
}

/** The first IP address that a text names. */
export function addressIn(text: string): string | undefined {
  return text
    .split(/[^\w.:]+/)
    .map((word) => word.replace(/(?<![.:])[.:]+$/, ''))
    .find((word) => isIP(word) !== 0);
}
