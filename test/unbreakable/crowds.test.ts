import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { BEARER, OTHER_BEARER, useGateway } from '../support/gateway.ts';
import {
  codesOf,
  DEBTORS,
  debtors,
  eventually,
  exchange,
  freshGateway,
  leaveDuring,
  timed,
  times,
} from './support.ts';

const OTHER_DEBTORS = DEBTORS.replace('1001', '2001');

describe('who sends slowly', () => {
  const TIMEOUTS = { headersTimeoutMs: 200, requestTimeoutMs: 400 };

  test.each([
    ['headers', 'POST /graphql HTTP/1.1\r\nHost: x\r\nX-A: '],
    [
      'a body',
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"qu',
    ],
  ])('is cut while sending %s', async (_what, bytes) => {
    const gateway = await freshGateway({ listen: TIMEOUTS });
    const { status, milliseconds } = await exchange(gateway.url, bytes);
    expect(status).toBe(408);
    expect(milliseconds).toBeLessThan(5000);
  });

  test('takes the place of an operation no longer than that', async () => {
    const gateway = await freshGateway({ listen: TIMEOUTS, handler: { maxOperations: 1 } });
    await exchange(
      gateway.url,
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    );
    await eventually(async () => expect(codesOf(await gateway.query(DEBTORS))).toEqual([]));
  });
});

describe('beyond the operations that may be under way', () => {
  test('a caller is told at once when to come back, and the rest goes on, that of others too', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 3 } });
    // Callers that the service knows; strangers would count as one.
    for (const headers of [BEARER, OTHER_BEARER]) await gateway.query(DEBTORS, {}, headers);
    await gateway.query(OTHER_DEBTORS, {}, OTHER_BEARER);
    gateway.rest.calls.length = 0;
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 400, times: 3 });
    const inside = times(2, (index) => gateway.query(debtors(index)));
    await eventually(() => expect(gateway.rest.calls).toHaveLength(2));

    const { result, milliseconds } = await timed(() => gateway.query(DEBTORS));
    expect(result.status).toBe(503);
    expect(result.headers.get('retry-after')).toBe('1');
    expect(codesOf(result)).toEqual(['OVERLOADED']);
    expect(result.errors?.[0]?.extensions.requestId).toBe(result.headers.get('x-request-id'));
    expect(milliseconds).toBeLessThan(400);
    expect((await fetch(new URL('/health', gateway.url))).status).toBe(200);
    expect(codesOf(await gateway.query(OTHER_DEBTORS, {}, OTHER_BEARER))).toEqual([]);

    expect((await Promise.all(inside)).map(codesOf)).toEqual([[], []]);
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
    expect(gateway.rest.calls).toHaveLength(4);
  });

  test('who leaves makes room', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 1 } });
    gateway.rest.misbehave({ kind: 'hang' });
    await leaveDuring(gateway, DEBTORS);
    await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
  });

  test('refused requests make room', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 1 } });
    for (const body of [
      '{',
      '[]',
      '{}',
      JSON.stringify({ query: '{' }),
      JSON.stringify({ query: '{ x }' }),
    ]) {
      expect((await gateway.post(body)).status).toBeLessThan(500);
    }
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  });

  test('a crowd far beyond gets an answer each', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 10 } });
    gateway.rest.misbehave({ kind: 'delay', milliseconds: 20, times: 1e6 });
    const answers = await Promise.all(times(200, (index) => gateway.query(debtors(index))));
    const outcomes = new Set(answers.map(({ status }) => status));
    expect([...outcomes].every((status) => status === 200 || status === 503)).toBe(true);
    expect(answers.filter(({ status }) => status === 200).flatMap(codesOf)).toEqual([]);
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  });
});

test('who sends its body slowly keeps no place from those who do not', async () => {
  const gateway = await freshGateway({ handler: { maxOperations: 1 } });
  const slow = times(3, () => connect(Number(new URL(gateway.url).port), '127.0.0.1'));
  for (const socket of slow) {
    socket.on('error', () => {});
    socket.write(
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{',
    );
  }
  try {
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  } finally {
    for (const socket of slow) socket.destroy();
  }
});

test('who does not read its answer is cut, so that it keeps no place', async () => {
  const gateway = await freshGateway({
    handler: { maxOperations: 1 },
    gateway: { requestTimeoutMs: 1000 },
    listen: { requestTimeoutMs: 500, headersTimeoutMs: 500 },
  });
  const names = times(190, (index) => `a${index}: name`).join(' ');
  const body = JSON.stringify({
    query: `{ debtors(administrationId: "1001", first: 10000) { nodes { ${names} } } }`,
  });
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.on('error', () => {}).pause();
  socket.write(
    'POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer demo-token-company-a\r\n' +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await eventually(() => expect(gateway.rest.calls.length).toBeGreaterThan(3));
  try {
    await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200), 8000);
  } finally {
    socket.destroy();
  }
});

describe('the state of the process', () => {
  test('is told without a credential and without a REST call', async () => {
    const gateway = await freshGateway();
    const health = await fetch(new URL('/health', gateway.url));
    expect([health.status, await health.text()]).toEqual([200, 'ok\n']);
    const ready = await fetch(new URL('/ready', gateway.url));
    expect([ready.status, await ready.text()]).toEqual([200, 'ready\n']);
    expect(gateway.rest.calls).toEqual([]);
  });
});

describe('the id of a request', () => {
  const shared = useGateway();

  test.each(['a', 'A-1.b_2', 'x'.repeat(128)])('is kept: %s', async (requestId) => {
    const gateway = await shared;
    const answer = await gateway.query('{ nonsense }', {}, { 'x-request-id': requestId });
    expect(answer.headers.get('x-request-id')).toBe(requestId);
    expect(answer.errors?.map(({ extensions }) => extensions.requestId)).toEqual([requestId]);
  });

  test.each(['', 'a b', '<script>', 'a"b', 'é', 'x'.repeat(129), 'a,b', 'a;b'])(
    'is replaced where it is unsafe: %j',
    async (requestId) => {
      const gateway = await shared;
      const answer = await gateway.query('{ nonsense }', {}, { 'x-request-id': requestId });
      const given = answer.headers.get('x-request-id');
      expect(given).toMatch(/^[\da-f-]{36}$/);
      expect(answer.errors?.map(({ extensions }) => extensions.requestId)).toEqual([given]);
    },
  );

  test('is in each error of REST, and differs from request to request', async () => {
    const gateway = await shared;
    const answers = await Promise.all(
      times(2, () => gateway.query(DEBTORS, {}, { authorization: 'Bearer nobody' })),
    );
    const ids = answers.map((answer) => answer.errors?.[0]?.extensions.requestId);
    expect(new Set(ids).size).toBe(2);
    expect(answers.map(codesOf)).toEqual([['UNAUTHENTICATED'], ['UNAUTHENTICATED']]);
  });
});
