import { describe, expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { stopClock } from '../../support/clock.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';

describe('the timeout of a REST call', () => {
  const DEADLINE = 150;

  test.each([
    ['never responds', { kind: 'hang' }],
    ['sends single bytes', { kind: 'drip', milliseconds: 20 }],
  ] as const)('ends it if the service %s', async (_what, fault) => {
    const gateway = await freshGateway({ gateway: { restTimeoutMs: DEADLINE } });
    gateway.rest.misbehave(fault);
    const answer = await gateway.query(DEBTORS);
    expect(codesOf(answer)).toEqual(['UPSTREAM_TIMEOUT']);
    expect(answer.errors?.[0]?.message).toBe(
      'The REST service did not respond within 150 ms (REST_TIMEOUT_MS).',
    );
    expect(answer.errors?.[0]?.extensions.upstream).toEqual({ method: 'GET', path: '/v1/debtors' });
    await eventually(() => expect(gateway.rest.calls).toMatchObject([{ aborted: true }]));
  });

  test('includes its retries', async () => {
    const clock = stopClock();
    const gateway = await freshGateway({ gateway: { restTimeoutMs: 10_000 } });
    gateway.rest.misbehave({
      kind: 'status',
      status: 503,
      // Read as the service answers: of ten seconds, the second attempt has a fifth of one left.
      get body() {
        clock.advance(9_800);
        return '{}';
      },
    });
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 3_000 });
    expect(codesOf(await gateway.query(DEBTORS))).toEqual(['UPSTREAM_TIMEOUT']);
    expect(gateway.rest.calls).toHaveLength(2);
  });
});

test('the error of a write that fails after it was sent says that it may have taken effect', async () => {
  const gateway = await freshGateway({ gateway: { restTimeoutMs: 300 } });
  for (const kind of ['hang', 'reset'] as const) {
    gateway.rest.misbehave({ kind });
    const { errors } = await gateway.query(
      'mutation { unmarkTaskCompleted(input: { taskId: "400001" }) { task { internalId } } }',
    );
    expect(errors?.[0]?.message, kind).toMatch(/\. The call was sent, so it may have taken effect\.$/);
  }
});

describe('the timeout of an operation', () => {
  test('ends all its calls', async () => {
    const gateway = await freshGateway({ gateway: { requestTimeoutMs: 300 } });
    gateway.rest.misbehave({ kind: 'hang', times: 3 });
    const answer = await gateway.query(`{
      debtors(administrationId: "1001") { nodes { name } }
      declarationLines(administrationId: "1001") { nodes { amount } }
      deletedPayments(administrationId: "1001") { nodes { internalId } }
    }`);
    expect(new Set(codesOf(answer))).toEqual(new Set(['UPSTREAM_TIMEOUT']));
    expect(answer.errors?.[0]?.message).toBe('The operation took more than 300 ms (REQUEST_TIMEOUT_MS).');
    await eventually(() =>
      expect(gateway.rest.calls.map(({ aborted }) => aborted)).toEqual([true, true, true]),
    );
  });

  test('makes a mutation report which write was sent and which was not', async () => {
    const gateway = await freshGateway({ gateway: { requestTimeoutMs: 300 } });
    gateway.rest.misbehave({ kind: 'hang' });
    const unmark = (id: string) => `unmarkTaskCompleted(input: { taskId: "${id}" }) { task { internalId } }`;
    const { errors } = await gateway.query(`mutation { a: ${unmark('400001')} b: ${unmark('400002')} }`);
    const message = 'The operation took more than 300 ms (REQUEST_TIMEOUT_MS).';
    expect(errors).toMatchObject([
      { path: ['a'], message: `${message} The call was sent, so it may have taken effect.` },
      { path: ['b'], message },
    ]);
    expect(gateway.rest.calls).toHaveLength(1);
  });
});
