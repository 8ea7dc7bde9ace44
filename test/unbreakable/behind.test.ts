import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { startDemoService } from '../../src/demo/service.ts';
import { BASIC } from '../support/gateway.ts';
import { codesOf, DEBTORS, debtors, eventually, freshGateway, leaveDuring, timed, times } from './support.ts';

/** A timer that only weak references hold would be lost here. */
const collect = collector();

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return typeof collect === 'function' ? () => void collect() : () => {};
}

/** Far above what is set, far below what an unbounded wait would take. */
const SOON = 5000;

describe('a REST call has one deadline', () => {
  const DEADLINE = 300;

  test.each([
    ['never answers', { kind: 'hang' }],
    ['sends a byte now and then', { kind: 'drip', milliseconds: 20 }],
    ['never stops sending', { kind: 'endless' }],
    ['answers too late', { kind: 'delay', milliseconds: 60_000 }],
  ] as const)('when the service %s', async (_what, fault) => {
    const gateway = await freshGateway({ gateway: { restTimeoutMs: DEADLINE } });
    gateway.rest.misbehave(fault);
    const { result, milliseconds } = await timed(() => gateway.query(DEBTORS));
    expect(codesOf(result)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(result.errors?.[0]?.extensions.upstream).toEqual({ method: 'GET', path: '/v1/debtors' });
    expect(milliseconds).toBeGreaterThan(DEADLINE - 20);
    expect(milliseconds).toBeLessThan(SOON);
    await eventually(() => expect(gateway.rest.calls).toMatchObject([{ aborted: true }]));
  });

  test('though memory is collected meanwhile', async () => {
    const gateway = await freshGateway({
      gateway: { restTimeoutMs: DEADLINE, requestTimeoutMs: 2 * DEADLINE },
    });
    gateway.rest.misbehave({ kind: 'hang', times: 5 });
    const answers = times(5, (index) => gateway.query(debtors(index)));
    await eventually(() => expect(gateway.rest.calls).toHaveLength(5));
    collect();
    await Promise.resolve();
    collect();
    expect((await Promise.all(answers)).flatMap(codesOf)).toEqual(times(5, () => 'UPSTREAM_TIMEOUT'));
  });

  test('that its retries share', async () => {
    const gateway = await freshGateway({ gateway: { restTimeoutMs: 500 } });
    gateway.rest.misbehave({ kind: 'status', status: 503 });
    gateway.rest.misbehave({ kind: 'hang' });
    const { result, milliseconds } = await timed(() => gateway.query(DEBTORS));
    expect(codesOf(result)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(milliseconds).toBeLessThan(SOON);
    expect(gateway.rest.calls).toHaveLength(2);
  });

  test('that spares the other fields of the operation', async () => {
    const gateway = await freshGateway({ gateway: { restTimeoutMs: DEADLINE } });
    gateway.rest.misbehave({ kind: 'hang', match: { path: '/v1/companies' } });
    const both = {
      authorization: 'Bearer demo-token-company-a',
      'x-client-authorization': BASIC.authorization,
    };
    const answer = await gateway.query(
      '{ viewer { clientId } administration(id: "1001") { debtor(by: { id: "300001" }) { internalId } } }',
      {},
      both,
    );
    expect(answer.errors).toBeUndefined();
    const failed = await gateway.query(
      '{ administration(id: "1001") { debtor(by: { id: "300001" }) { internalId } } companies { nodes { name } } }',
      {},
      both,
    );
    expect(codesOf(failed)).toEqual(['UPSTREAM_TIMEOUT']);
  });
});

describe('an operation has one deadline', () => {
  test('for all its calls, which end with it', async () => {
    const gateway = await freshGateway({ gateway: { requestTimeoutMs: 300 } });
    gateway.rest.misbehave({ kind: 'hang', times: 3 });
    const { result, milliseconds } = await timed(() =>
      gateway.query(`{
        debtors(administrationId: "1001") { nodes { name } }
        declarationLines(administrationId: "1001") { nodes { amount } }
        deletedPayments(administrationId: "1001") { nodes { internalId } }
      }`),
    );
    expect(codesOf(result)).toEqual(times(3, () => 'UPSTREAM_TIMEOUT').slice(0, codesOf(result).length));
    expect(codesOf(result).length).toBeGreaterThan(0);
    expect(milliseconds).toBeLessThan(SOON);
    await eventually(() =>
      expect(gateway.rest.calls.map(({ aborted }) => aborted)).toEqual([true, true, true]),
    );
  });

  test('that a walk through pages does not outlast', async () => {
    const gateway = await freshGateway({ gateway: { requestTimeoutMs: 400 } });
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 150, times: 100 });
    const answer = await gateway.query(
      '{ debtors(administrationId: "1001", first: 10000) { nodes { name } } }',
    );
    expect(codesOf(answer)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(gateway.rest.calls.length).toBeLessThan(5);
  });
});

describe('a caller who leaves', () => {
  test.each([
    ['before the answer begins', { kind: 'hang' }],
    ['while the answer drips', { kind: 'drip', milliseconds: 20 }],
  ] as const)('takes its REST calls along %s', async (_when, fault) => {
    const gateway = await freshGateway();
    gateway.rest.misbehave(fault);
    await leaveDuring(gateway, DEBTORS);
    await eventually(() => expect(gateway.rest.calls).toMatchObject([{ aborted: true }]));
  });

  test('starts no further page', async () => {
    const gateway = await freshGateway();
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 100 });
    await leaveDuring(gateway, '{ debtors(administrationId: "1001", first: 2000) { nodes { name } } }');
    await eventually(() => expect(gateway.rest.calls).toMatchObject([{ aborted: true }]));
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(2);
  });
});

describe('a redirect', () => {
  test.each([
    ['a read', DEBTORS, undefined],
    [
      'a write',
      'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { subject } } }',
      undefined,
    ],
    ['a token call', 'mutation { introspectToken(input: { token: "x" }) { active } }', BASIC],
  ])('of %s is not followed, and no credential leaves', async (_what, operation, headers) => {
    const gateway = await freshGateway();
    const elsewhere = await startDemoService();
    gateway.rest.misbehave({ kind: 'redirect', location: `${elsewhere.url}/v1/debtors` });
    const answer = await gateway.query(operation, {}, headers);
    await elsewhere.close();
    expect(codesOf(answer)).toEqual(['UPSTREAM_INVALID_RESPONSE']);
    expect(answer.text).not.toContain(elsewhere.url);
    expect(elsewhere.calls).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(1);
  });
});
