import { RestError } from '../rest/errors.ts';
import type { RestSession } from '../rest/session.ts';
import type { Trial, Verdict } from './filters.ts';
import { type Finding, failed, passed, skipped, wordsOf } from './finding.ts';

export function judgeFilter({ parameterNames }: RestSession, trial: Trial, verdict: Verdict): Finding {
  const { resource } = trial.list;
  const { argument } = trial.filter;
  const list = resource.name;
  const name = `\`${parameterNames[list]?.[argument] ?? resource.filters[argument]?.name}\``;
  const misnamed = (found: string): Finding => ({
    ...failed(argument, found, `Set ${list}.${argument} in REST_PARAMETER_NAMES; see below.`),
    list,
    misnamed: { list, argument },
  });

  if (verdict === 'honoured') return { ...passed(argument, `honoured, as ${name}`), list };
  if (verdict === 'ignored') return misnamed(`${name} is ignored: rows come that it must leave out`);
  if (!(verdict instanceof RestError))
    return { ...skipped(argument, `cannot tell: ${verdict.unknown}`), list };
  switch (verdict.code) {
    // Without the filter the list answers, so the filter is what the service does not accept.
    case 'BAD_USER_INPUT':
      return misnamed(`${name} is refused: ${wordsOf(verdict)}`);
    case 'FORBIDDEN':
    case 'NOT_FOUND':
      return { ...skipped(argument, `cannot tell: ${wordsOf(verdict)}`), list };
    default:
      return { ...failed(argument, wordsOf(verdict)), list };
  }
}
