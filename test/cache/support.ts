import { expect } from 'vitest';
import { ADMINISTRATION, type BriefCall, issueTokens, type TestGateway } from '../support/gateway.ts';

/** Callers with nothing cached yet, one for each test. */
export async function freshCallers({ rest }: TestGateway, count = 30) {
  const callers = [...(await issueTokens(rest, count))];
  return () => callers.pop() ?? expect.fail('no caller is left');
}

export const UNMARK = 'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }';

export function page(fields: string, args = 'first: 3'): string {
  return `{ debtors(administrationId: "${ADMINISTRATION}", ${args}) { nodes { ${fields} } } }`;
}

export function debtor(id: string | undefined, fields: string): string {
  return debtorBy(`id: "${id}"`, fields);
}

export function debtorBy(by: string, fields: string): string {
  return `debtor(administrationId: "${ADMINISTRATION}", by: { ${by} }) { ${fields} }`;
}

export function reads(calls: readonly BriefCall[]): readonly BriefCall[] {
  return calls.filter(({ call }) => call.startsWith('GET'));
}

export function cost(cacheHits: number, calls: number, coalesced = 0) {
  return { cost: { cacheHits, calls, coalesced } };
}
