import { RestError } from '../rest/errors.ts';
import type { ParameterNames } from '../rest/resource.ts';
import type { RestSession } from '../rest/session.ts';
import { chooseAdministration } from './administration.ts';
import { checkApplication } from './application.ts';
import { checkReachable } from './contact.ts';
import { checkEncryption } from './encryption.ts';
import { tryFilter } from './filters.ts';
import type { Finding, Step } from './finding.ts';
import { judgeFilter } from './judge-filter.ts';
import type { CheckedList } from './lists.ts';
import { judgeList, readLists } from './read-lists.ts';
import { redactor } from './session.ts';
import { judgeToken } from './token.ts';

/** What can be found out without a credential, and has to be in order before one is used. */
export async function* examineConnection(url: URL, timeoutMs: number, step: Step): AsyncGenerator<Finding> {
  step(url.host);
  const { finding, contact } = await checkReachable(url, timeoutMs);
  yield finding;
  if (contact || url.protocol === 'http:') yield checkEncryption(url, contact?.encryption);
}

export interface Examination {
  readonly session: RestSession;
  readonly token: string;
  readonly lists: readonly CheckedList[];
  /** Where to read from; absent, the first administration that the service shows. */
  readonly administration?: string | undefined;
  readonly step: Step;
}

/** What only a credential shows. Calls go one after another, and nothing secret is in what is found. */
export async function* examineService(examination: Examination): AsyncGenerator<Finding> {
  const redact = redactor(examination.session);
  for await (const finding of examine(examination)) {
    const { found, advice } = finding;
    yield { ...finding, found: redact(found), ...(advice !== undefined && { advice: redact(advice) }) };
  }
}

async function* examine(examination: Examination): AsyncGenerator<Finding> {
  const { session, token, lists, step } = examination;
  step('the application');
  const { finding, introspection } = await checkApplication(session, token);
  yield finding;

  step('the administration');
  const chosen = await chooseAdministration(session, lists, examination.administration, introspection);
  yield chosen.finding;
  const { id: administrationId } = chosen;
  if (administrationId === undefined) return;

  const samples = await readLists(session, lists, administrationId, step);
  const byToken = [...samples].filter(([{ resource }]) => resource.credential === 'bearer');
  yield judgeToken(
    session,
    byToken.map(([, answer]) => answer),
    introspection,
  );
  for (const list of lists) {
    const answer = samples.get(list);
    yield judgeList(list, answer);
    if (answer === undefined || answer.error) continue;
    for (const filter of list.filters) {
      step(`${list.resource.name}.${filter.argument}`);
      const trial = { list, filter, administrationId, row: answer.row };
      const verdict = await tryFilter(session, trial);
      yield judgeFilter(session, trial, verdict);
      // A token that is refused is not sent again.
      if (verdict instanceof RestError && verdict.code === 'UNAUTHENTICATED') return;
    }
  }
}

/** REST_PARAMETER_NAMES as it has to be: what is configured, with a gap for each name that is wrong. */
export function namesToSet(
  configured: ParameterNames,
  findings: readonly Finding[],
): ParameterNames | undefined {
  const missing = findings.flatMap(({ misnamed }) => misnamed ?? []);
  if (missing.length === 0) return undefined;
  const names: Record<string, Record<string, string>> = structuredClone(configured);
  for (const { list, argument } of missing) {
    names[list] = { ...names[list], [argument]: '<its true name>' };
  }
  return names;
}
