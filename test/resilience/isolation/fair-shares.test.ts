import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { BEARER, freshGateway, issueTokens, OTHER_BEARER, type TestGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';

const OTHERS = '{ debtors(administrationId: "2001", first: 3) { nodes { internalId } } }';

/** An operation of forty REST calls, each another one than in any other such operation. */
function manyCalls(number: number): string {
  const lists = times(40, (index) => {
    const moment = new Date(40 * number + index).toISOString();
    return `a${index}: debtors(administrationId: "1001", updatedAfter: "${moment}") { nodes { internalId } }`;
  });
  return `{ ${lists.join(' ')} }`;
}

/** More calls than may run at once, of callers who get no response. */
function hang(gateway: TestGateway, callers: readonly { readonly authorization: string }[]): void {
  for (const { authorization } of callers) {
    gateway.rest.misbehave({ kind: 'hang', match: { authorization }, times: 1e6 });
  }
  for (const [index, caller] of callers.entries()) {
    // Nobody waits for these: they end with the gateway.
    gateway.query(manyCalls(index), {}, caller).catch(() => {});
  }
}

async function accept(gateway: TestGateway): Promise<void> {
  expect(codesOf(await gateway.query(OTHERS, {}, OTHER_BEARER))).toEqual([]);
  expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  gateway.rest.calls.length = 0;
}

test.each([
  ['one token', () => BEARER],
  // They count for the address.
  ['invented tokens', (index: number) => ({ authorization: `Bearer invented-${index}` })],
])('hanging calls of one caller (%s) leave slots for another caller', async (_what, callerOf) => {
  const calls = 288;
  const gateway = await freshGateway();
  await accept(gateway);
  hang(gateway, times(8, callerOf));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(calls));
  expect(codesOf(await gateway.query(OTHERS, {}, OTHER_BEARER))).toEqual([]);
  expect(gateway.rest.calls).toHaveLength(calls + 1);
});

test('later calls of an operation count for its credential after the service accepts it', async () => {
  const gateway = await freshGateway();
  const [token = BEARER] = await issueTokens(gateway.rest, 1);
  const { promise: until, resolve: accept } = withResolver();
  gateway.rest.misbehave({ kind: 'stale', until, match: { authorization: token.authorization } });
  const query =
    '{ deletedCreditCases(administrationId: "1001", first: 3) { nodes { debtor { internalId } } } }';
  const answer = gateway.query(query, {}, token);
  await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
  // Calls with invented tokens take the rest of what the address may use.
  hang(
    gateway,
    times(8, (index) => ({ authorization: `Bearer invented-${index}` })),
  );
  await eventually(() => expect(gateway.rest.calls).toHaveLength(288));
  accept();
  expect(codesOf(await answer)).toEqual([]);
});

test('the limit key is the address until the service accepts the credential, and after a 401', async () => {
  const ADDRESS = '192.0.2.1';
  const gateway = await freshGateway();
  const [token = BEARER] = await issueTokens(gateway.rest, 1);
  const stranger = gateway.getLimitKey({}, ADDRESS);
  const answered = async (status: number) => {
    if (status !== 200) gateway.rest.misbehave({ kind: 'status', status });
    await gateway.query(DEBTORS, {}, token);
    return gateway.getLimitKey(token, ADDRESS);
  };
  expect(gateway.getLimitKey(token, ADDRESS)).toBe(stranger);
  expect(await answered(404)).toBe(stranger);
  const own = await answered(200);
  expect(own).not.toBe(stranger);
  expect(gateway.getLimitKey({ authorization: token.authorization.toLowerCase() }, '192.0.2.2')).toBe(own);
  expect(own).not.toContain(token.authorization.slice(7));
  expect(gateway.getLimitKey({ authorization: 'Bearer invented' }, ADDRESS)).toBe(stranger);
  expect(await answered(401)).toBe(stranger);
});
