import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Admission } from '../../src/http/admission.ts';
import type { TestGateway } from '../support/gateway.ts';
import { codesOf, DEBTORS, eventually, exchange, freshGateway, postOf, times } from './support.ts';

const BODY =
  'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{';

function opened(gateway: TestGateway, bytes: string): Promise<Socket & { text: string }> {
  return new Promise((resolve) => {
    const socket = Object.assign(connect(Number(new URL(gateway.url).port), '127.0.0.1'), { text: '' });
    onTestFinished(() => void socket.destroy());
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('data', (chunk) => {
      socket.text += chunk;
    });
    socket.write(bytes, () => resolve(socket));
  });
}

test('a body that stalls is cut long before the time for a whole request is over', async () => {
  const gateway = await freshGateway({
    listen: { uploads: { maxBytes: 1e6, windowMs: 100, minBytes: 100 }, requestTimeoutMs: 60_000 },
  });
  const { status, text } = await exchange(gateway.url, BODY);
  expect(status).toBe(408);
  expect(text).toMatch(/"code":"REQUEST_TIMEOUT","requestId":"[\w-]+"/);
});

test('a body that drips is cut as well: it has to arrive at a pace', async () => {
  const gateway = await freshGateway({
    listen: { uploads: { maxBytes: 1e6, windowMs: 200, minBytes: 100 }, requestTimeoutMs: 60_000 },
  });
  const socket = await opened(gateway, BODY);
  const drip = setInterval(() => socket.write(' '), 20);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drip);
  expect(socket.text).toContain('408 Request Timeout');
});

test('bodies that drip lock nobody out: those that stalled longest make room', async () => {
  const gateway = await freshGateway({
    listen: { uploads: { maxBytes: 10 * 16_000, windowMs: 60_000, minBytes: 1 } },
  });
  const drips: (Socket & { text: string })[] = [];
  for (const _ of times(10, () => 0)) drips.push(await opened(gateway, BODY));
  for (const _ of times(10, () => 0)) {
    drips.push(await opened(gateway, BODY));
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  }
  await eventually(() => expect(drips.slice(0, 10).every(({ text }) => text.includes('503'))).toBe(true));
  expect(drips[0]?.text).toMatch(/Retry-After: 1\r\n[\s\S]*"code":"OVERLOADED"/);
  expect(drips.at(-1)?.text).toBe('');
});

test('large bodies are bounded in bytes together', async () => {
  const gateway = await freshGateway({
    listen: { uploads: { maxBytes: 1_000_000, windowMs: 60_000, minBytes: 1 } },
  });
  const large = BODY.replace('90', '900000') + ' '.repeat(400_000);
  const first = await opened(gateway, large);
  await opened(gateway, large);
  await opened(gateway, large);
  await eventually(() => expect(first.text).toContain('503'));
  expect((await gateway.query(DEBTORS)).status).toBe(200);
});

test('a body that arrives slowly, but arrives, is answered', async () => {
  const gateway = await freshGateway({
    listen: { uploads: { maxBytes: 1e6, windowMs: 500, minBytes: 10 } },
  });
  const request = postOf(DEBTORS);
  const socket = await opened(gateway, request.slice(0, -60));
  for (let index = 60; index > 0; index -= 20) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.write(request.slice(-index).slice(0, 20));
  }
  await eventually(() => expect(socket.text).toContain('"internalId":"300001"'));
});

test('beyond the connections that may be open, an idle one makes room, not the newcomer', async () => {
  const gateway = await freshGateway({ listen: { maxConnections: 4 } });
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 300 });
  const busy = await opened(gateway, postOf(DEBTORS));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
  const idle: Socket[] = [];
  for (const _ of times(8, () => 0)) idle.push(await opened(gateway, ''));
  const newcomer = await opened(gateway, postOf('{ __typename }'));
  await eventually(() => expect(newcomer.text).toContain('"__typename":"Query"'));
  await eventually(() => expect(idle.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(5));
  await eventually(() => expect(busy.text).toContain('"internalId":"300001"'));
});

test('a process that lets nothing in for long, though somebody asks, says that it is not ready', () => {
  let now = 0;
  const admission = new Admission(2, () => now);
  admission.admit('a');
  admission.admit('b');
  now = 6_000;
  expect(admission.isStuck).toBe(false);
  expect(() => admission.admit('c')).toThrow('Too many operations');
  expect(admission.isStuck).toBe(true);
  admission.release('a');
  expect(admission.isStuck).toBe(false);
  admission.admit('c');
  expect(() => admission.admit('c')).toThrow('Too many operations');
  now = 10_000;
  expect(admission.isStuck).toBe(false);
  now = 12_000;
  expect(admission.isStuck).toBe(true);
});

test('one caller gets at most half of the places, and others find the rest', () => {
  const admission = new Admission(8);
  const admitted = times(10, () => {
    try {
      admission.admit('greedy');
      return true;
    } catch {
      return false;
    }
  });
  expect(admitted.filter(Boolean)).toHaveLength(4);
  admission.admit('quiet');
  admission.admit('other');
});

test('whatever ends an operation, it gives its place back', async () => {
  const gateway = await freshGateway({ handler: { maxOperations: 1 } });
  gateway.rest.misbehave({ kind: 'reset', times: 10 });
  for (const query of [DEBTORS, '{ nonsense }', '{', 'query A { __typename } query B { __typename }']) {
    expect((await gateway.query(query)).status).toBeLessThan(500);
  }
  gateway.rest.behave();
  expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
});
