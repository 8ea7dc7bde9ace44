import { isIP } from 'node:net';
import type { Config } from '../../config/index.ts';
import { basicAuthorization, credentialsOf } from '../../request/credentials.ts';
import { createRestCache } from '../../rest/cache/rest-cache.ts';
import { createRestClient } from '../../rest/client/client.ts';
import { RestError } from '../../rest/errors.ts';
import { administrationsOf, dateTime, type Introspection, introspect } from '../../rest/oauth.ts';
import { RestSession } from '../../rest/session.ts';
import { isText } from '../../rest/wire-text.ts';
import { type FirstRows, LISTS, readFirstRow } from './lists.ts';
import { type Finding, type Findings, failed, messageOf, passed, skipped, warned } from './report.ts';

/** A session without a cache and without a limit on its calls. */
export function openSession(
  url: URL,
  { application, parameterNames, restTimeoutMs }: Config,
  token: string,
): RestSession {
  return new RestSession({
    client: createRestClient({ url, timeoutMs: restTimeoutMs }),
    cache: createRestCache(0),
    credentials: {
      bearer: `Bearer ${token}`,
      ...(application && { basic: basicAuthorization(application.clientId, application.clientSecret) }),
    },
    owner: 'doctor',
    parameterNames,
  });
}

/** Removes the session's credentials from a text, since the service may quote them in its messages. */
export function createRedactor({ credentials }: RestSession): (text: string) => string {
  const [token = '', basic = ''] = [credentials.bearer, credentials.basic].map((value) =>
    value?.replace(/^\S+ /, ''),
  );
  const [, clientSecret = ''] = Buffer.from(basic, 'base64').toString().split(/:(.*)/s);
  const secrets = [token, basic, clientSecret].filter((secret) => secret !== '');
  return (text) => secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '[secret]'), text);
}

const UNKNOWN_TOKEN =
  'The token has expired, or belongs to another application: `viewer` answers only for tokens of this one.';

/** Introspects the token as `viewer` does, with the application that the gateway is configured with. */
export async function checkApplication(session: RestSession, token: string, findings: Findings) {
  const check = 'application';
  if (session.credentials.basic === undefined) {
    const message = 'REST_CLIENT_ID and REST_CLIENT_SECRET are not set; `viewer` needs them';
    return void findings.add(skipped(check, message));
  }
  try {
    const introspection = await introspect(session, token, 'introspection');
    if (!introspection.active)
      return void findings.add(warned(check, 'accepted, but it does not know the token', UNKNOWN_TOKEN));
    findings.add(passed(check, `accepted; ${describeAccess(session, introspection)}`));
    return introspection;
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const advice =
      error.code === 'UNAUTHENTICATED' ? 'Check REST_CLIENT_ID and REST_CLIENT_SECRET.' : undefined;
    return void findings.add(failed(check, messageOf(error), advice));
  }
}

/** Throws if the administrations in the introspection response are invalid. */
function describeAccess(session: RestSession, introspection: Introspection): string {
  const { company } = introspection;
  const count = administrationsOf(session, introspection)?.length ?? 0;
  const access = `the token reaches ${count === 1 ? 'one administration' : `${count} administrations`}`;
  return isText(company?.name) && String(company.name)
    ? `${access} of ${session.text.decode(company.name)}`
    : access;
}

const ADMINISTRATION = 'administration';

/** The administration to read from: the requested one, or the first that the service shows; undefined if there is none. */
export async function chooseAdministration(
  session: RestSession,
  requested: string | undefined,
  introspection: Introspection | undefined,
  findings: Findings,
): Promise<string | undefined> {
  const chosen = (id: string, why: string) => {
    findings.add(passed(ADMINISTRATION, `${id}${why}`));
    return id;
  };
  const accessible = (introspection && administrationsOf(session, introspection)) ?? [];
  if (requested !== undefined) {
    const ids = accessible.map(({ id }) => session.text.decode(id));
    if (ids.length === 0 || ids.includes(requested)) return chosen(requested, ', as asked for');
    const advice = `Pass one that it does: ${ids.slice(0, 10).join(', ')}.`;
    return void findings.add(failed(ADMINISTRATION, `the token does not reach ${requested}`, advice));
  }
  const [first] = accessible;
  if (first) {
    const name = isText(first.name) ? ` (${session.text.decode(first.name)})` : '';
    return chosen(session.text.decode(first.id), `${name}, the first that the token reaches`);
  }
  // Where the service's description does not say that the administration is a required parameter, a list may return
  // rows without one.
  let refusal: RestError | undefined;
  for (const { resource } of LISTS) {
    if (!resource.filters.administrationId?.assumed) continue;
    const { row, error } = await readFirstRow(session, resource, {});
    const id = row?.administration_id ? session.text.decode(row.administration_id) : '';
    if (id) return chosen(id, `, that of the first row of ${resource.name}`);
    if (error?.code === 'UNAUTHENTICATED') return void findings.add(rejectedToken(session, error, refusal));
    if (error?.code === 'FORBIDDEN') refusal ??= error;
  }
  const advice = 'Pass one that the token reaches: --administration <id>.';
  return void findings.add(failed(ADMINISTRATION, 'none is known', advice));
}

const TOKEN = 'token';

const ALLOW_LIST = 'on the IP allow list of its application';
const ON_ALLOW_LIST = `that the address of this machine is ${ALLOW_LIST}`;
const NEW_TOKEN = 'and get a new token';

/** Returns a finding if the token cannot be valid, so that it is not sent; otherwise undefined. */
export function checkTokenFormat(token: string): Finding | undefined {
  if (token === '') {
    return failed(TOKEN, 'not given, so nothing behind it is checked', 'Set DOCTOR_TOKEN to a bearer token.');
  }
  if (credentialsOf({ authorization: `Bearer ${token}` }).bearer === undefined) {
    const advice = 'Give the token alone, in one line and without `Bearer`.';
    return failed(TOKEN, 'it holds a character that no token has', advice);
  }
  return undefined;
}

/** Whether the service accepts the token, by the responses of the lists that take it. */
export function checkToken(
  session: RestSession,
  rows: FirstRows,
  introspection: Introspection | undefined,
): Finding {
  const withToken = [...rows].filter(([{ resource }]) => resource.credential === 'bearer');
  const results = withToken.map(([, result]) => result);
  const errorOf = (code: string) => results.find(({ error }) => error?.code === code)?.error;
  const rejection = errorOf('UNAUTHENTICATED');
  if (rejection) return rejectedToken(session, rejection, errorOf('FORBIDDEN'));
  if (results.some(({ error }) => error === undefined)) {
    const { exp } = introspection ?? {};
    const expiry = typeof exp === 'number' ? `; it expires at ${dateTime(exp) ?? 'no moment'}` : '';
    return passed(TOKEN, `accepted${expiry}`);
  }
  if (results.every(({ error }) => error?.code === 'FORBIDDEN')) {
    const advice = `Check that the token has scopes to read, that it reaches the administration, and ${ON_ALLOW_LIST}.`;
    return failed(TOKEN, 'no list may be read with it', advice);
  }
  return skipped(TOKEN, 'cannot tell: no list answers');
}

/**
 * An earlier 403 shows that the service knew the token, so it was revoked since; else it was never valid. What the
 * service said with the 403 may name the address that it saw, which nothing else tells.
 */
function rejectedToken({ calls }: RestSession, error: RestError, refusal: RestError | undefined): Finding {
  if (!calls.some(({ status }) => status === 403)) {
    const advice = 'Check that the token is whole, and has not expired or been revoked.';
    return failed(TOKEN, messageOf(error), advice);
  }
  const revoked = 'the service has just revoked it';
  const said = refusal && messageOf(refusal);
  const address = said && addressIn(said);
  return address
    ? failed(
        TOKEN,
        `${revoked}, since it came from ${address}`,
        `Put ${address} ${ALLOW_LIST}, ${NEW_TOKEN}.`,
      )
    : failed(TOKEN, said ? `${revoked}: ${said}` : revoked, `Check ${ON_ALLOW_LIST}, ${NEW_TOKEN}.`);
}

/** The first IP address that a text names. */
export function addressIn(text: string): string | undefined {
  return text
    .split(/[^\w.:]+/)
    .map((word) => word.replace(/(?<![.:])[.:]+$/, ''))
    .find((word) => isIP(word) !== 0);
}
