import { RestError } from '../rest/errors.ts';
import { fromLatin1 } from '../rest/latin1.ts';
import { administrationsOf, type Introspection, introspect } from '../rest/oauth.ts';
import type { RestSession } from '../rest/session.ts';
import { type Finding, failed, passed, skipped, warned, wordsOf } from './finding.ts';

const CHECK = 'application';

/** The application that the gateway is configured with, by what `viewer` uses it for. */
export async function checkApplication(
  session: RestSession,
  token: string,
): Promise<{ readonly finding: Finding; readonly introspection?: Introspection }> {
  if (session.credentials.basic === undefined) {
    const found = 'REST_CLIENT_ID and REST_CLIENT_SECRET are not set; `viewer` needs them';
    return { finding: skipped(CHECK, found) };
  }
  try {
    const introspection = await introspect(session, token, 'introspection');
    return introspection.active
      ? { finding: passed(CHECK, `accepted; ${describe(introspection)}`), introspection }
      : { finding: warned(CHECK, 'accepted, but it does not know the token', OTHER_TOKEN) };
  } catch (error) {
    if (!(error instanceof RestError)) throw error;
    const advice =
      error.code === 'UNAUTHENTICATED' ? 'Check REST_CLIENT_ID and REST_CLIENT_SECRET.' : undefined;
    return { finding: failed(CHECK, wordsOf(error), advice) };
  }
}

const OTHER_TOKEN =
  'The token has expired, or belongs to another application: `viewer` answers only for tokens of this one.';

/** Throws where it names administrations that cannot be read. */
function describe(introspection: Introspection): string {
  const { company } = introspection;
  const count = administrationsOf(introspection)?.length ?? 0;
  const reach = `the token reaches ${count === 1 ? 'one administration' : `${count} administrations`}`;
  return typeof company?.name === 'string' && company.name
    ? `${reach} of ${fromLatin1(company.name)}`
    : reach;
}
