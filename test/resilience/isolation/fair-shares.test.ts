import { describe, expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { BEARER, freshGateway, issueTokens, OTHER_BEARER, type TestGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
import { times } from '../../support/times.ts';

const OTHERS = '{ debtors(administrationId: "2001", first: 3) { nodes { internalId } } }';

/** An operation of forty REST calls, each another one than in any other such operation. */
function manyCalls(number: number): string {
  const lists = times(40, (index) => {
    const moment = new Date(40 * number + index).toISOString();
    return `a${index}: debtors(administrationId: "1001", updatedAfter: "${moment}") { nodes { internalId } }`;
  });
  return `{ ${lists.join(' ')} }`;
}

/** More calls than may run at once, of callers whose calls are never answered. */
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

describe('where the calls of one caller hang', () => {
  test('they take half of what may run at once, and another caller is answered meanwhile', async () => {
    const gateway = await freshGateway();
    await accept(gateway);
    hang(
      gateway,
      times(5, () => BEARER),
    );
    await eventually(() => expect(gateway.rest.calls).toHaveLength(64));
    for (let round = 0; round < 3; round += 1) {
      expect(codesOf(await gateway.query(OTHERS, {}, OTHER_BEARER))).toEqual([]);
    }
    expect(gateway.rest.calls).toHaveLength(64 + 3);
  });

  test('they take a quarter by invented tokens, which count for the address', async () => {
    const gateway = await freshGateway();
    await accept(gateway);
    hang(
      gateway,
      times(5, (index) => ({ authorization: `Bearer invented-${index}` })),
    );
    await eventually(() => expect(gateway.rest.calls).toHaveLength(32));
    expect(codesOf(await gateway.query(OTHERS, {}, OTHER_BEARER))).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(32 + 1);
  });

  test('more of them are refused once its share of the queue is used up, and another caller is answered', async () => {
    const gateway = await freshGateway();
    await accept(gateway);
    gateway.rest.misbehave({ kind: 'hang', match: { authorization: BEARER.authorization }, times: 1e6 });
    // Of 720 calls 64 run and 512 wait, so the last operations get nothing at all.
    const answers = times(18, (index) => gateway.query(manyCalls(index)));
    const refused = await Promise.any(answers.map(async (answer) => codesOf(await answer)));
    expect(new Set(refused)).toEqual(new Set(['OVERLOADED']));
    expect(codesOf(await gateway.query(OTHERS, {}, OTHER_BEARER))).toEqual([]);
    for (const answer of answers) answer.catch(() => {});
  });
});

describe('an owner', () => {
  const ADDRESS = '192.0.2.1';

  test('is the address, until the service has accepted the credential', async () => {
    const gateway = await freshGateway();
    const [token = BEARER] = await issueTokens(gateway.rest, 1);
    const stranger = gateway.ownerOf({}, ADDRESS);
    expect(gateway.ownerOf(token, ADDRESS)).toBe(stranger);
    gateway.rest.misbehave({ kind: 'status', status: 404 });
    await gateway.query('{ debtors(administrationId: "1001") { nodes { name } } }', {}, token);
    expect(gateway.ownerOf(token, ADDRESS)).toBe(stranger);

    await gateway.query('{ debtors(administrationId: "1001") { nodes { name } } }', {}, token);
    const own = gateway.ownerOf(token, ADDRESS);
    expect(own).not.toBe(stranger);
    expect(gateway.ownerOf({ authorization: token.authorization.toLowerCase() }, '192.0.2.2')).toBe(own);
    expect(own).not.toContain(token.authorization.slice(7));
    expect(gateway.ownerOf({ authorization: 'Bearer invented' }, ADDRESS)).toBe(stranger);
  });

  test('is the address again for a token that the service has revoked', async () => {
    const gateway = await freshGateway();
    await gateway.query('{ debtors(administrationId: "1001") { nodes { name } } }');
    expect(gateway.ownerOf(BEARER, ADDRESS)).not.toBe(ADDRESS);
    gateway.rest.misbehave({ kind: 'status', status: 401 });
    await gateway.query('{ debtors(administrationId: "1001") { nodes { name } } }');
    expect(gateway.ownerOf(BEARER, ADDRESS)).toBe(ADDRESS);
  });
});
