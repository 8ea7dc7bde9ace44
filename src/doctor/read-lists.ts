import type { RestSession } from '../rest/session.ts';
import { type Finding, failed, passed, type Step, skipped, wordsOf } from './finding.ts';
import type { CheckedList } from './lists.ts';
import { type Sample, sample } from './sample.ts';

/** Asks each list for its first row; none that takes the token any more once that has been refused. */
export async function readLists(
  session: RestSession,
  lists: readonly CheckedList[],
  administrationId: string,
  step: Step,
): Promise<ReadonlyMap<CheckedList, Sample>> {
  const samples = new Map<CheckedList, Sample>();
  let isTokenRefused = false;
  for (const list of lists) {
    const { name, credential, filters } = list.resource;
    if (credential === 'bearer' ? isTokenRefused : session.credentials.basic === undefined) continue;
    step(name);
    const answer = await sample(session, list.resource, filters.administrationId ? { administrationId } : {});
    samples.set(list, answer);
    isTokenRefused ||= credential === 'bearer' && answer.error?.code === 'UNAUTHENTICATED';
  }
  return samples;
}

/** A list as its first row shows it; without a sample, it was not asked. */
export function judgeList({ resource }: CheckedList, answer: Sample | undefined): Finding {
  const { name, credential, filters } = resource;
  if (answer === undefined) {
    const why = credential === 'basic' ? 'REST_CLIENT_ID is not set' : 'the token is refused';
    return skipped(name, `not asked: ${why}`);
  }
  const { error, row, hasRows } = answer;
  if (error === undefined) return passed(name, row ? 'answers' : 'answers, without a row');
  if (error.code === 'UNAUTHENTICATED') return skipped(name, 'the credential is refused');
  if (error.code === 'FORBIDDEN') return skipped(name, `no scope: ${wordsOf(error)}`);
  // Rows that are of no use are of another administration: its parameter was ignored.
  const isNameDoubtful = error.code === 'BAD_USER_INPUT' || hasRows;
  return filters.administrationId?.assumed && isNameDoubtful
    ? { ...failed(name, wordsOf(error), RENAME), misnamed: { list: name, argument: 'administrationId' } }
    : failed(name, wordsOf(error));
}

const RENAME =
  'The administration may have another parameter. Set it in REST_PARAMETER_NAMES (see below) and check again: ' +
  'the filters of this list wait for that.';
