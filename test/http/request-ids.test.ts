import { expect, test } from 'vitest';
import { codesOf } from '../support/answers.ts';
import { useGateway } from '../support/gateway.ts';
import { DEBTORS } from '../support/operations.ts';
import { times } from '../support/times.ts';

const gateway = await useGateway();

async function ask(requestId: string) {
  const { headers, errors = [] } = await gateway.query('{ nonsense }', {}, { 'x-request-id': requestId });
  return {
    header: headers.get('x-request-id'),
    inErrors: errors.map(({ extensions }) => extensions.requestId),
  };
}

test('the id of a request is kept', async () => {
  expect(await ask('A-1.b_2')).toEqual({ header: 'A-1.b_2', inErrors: ['A-1.b_2'] });
});

test('the id of a request that is unsafe is replaced', async () => {
  const { header, inErrors } = await ask('a"b');
  expect(header).toMatch(/^[\da-f-]{36}$/);
  expect(inErrors).toEqual([header]);
});

test('the id of a request is in each error of REST, and differs from request to request', async () => {
  const answers = await Promise.all(
    times(2, () => gateway.query(DEBTORS, {}, { authorization: 'Bearer nobody' })),
  );
  const ids = answers.map((answer) => answer.errors?.[0]?.extensions.requestId);
  expect(new Set(ids).size).toBe(2);
  expect(answers.map(codesOf)).toEqual([['UNAUTHENTICATED'], ['UNAUTHENTICATED']]);
});

test('/health and /ready answer without a credential and without a REST call', async () => {
  const health = await fetch(new URL('/health', gateway.url));
  expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
  const ready = await fetch(new URL('/ready', gateway.url));
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready', restService: 'REST_URL' }]);
  expect(gateway.rest.calls).toEqual([]);
});
