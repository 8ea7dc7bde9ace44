import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createProbe } from '../../src/rest/client/probe.ts';
import { startDemoService } from '../support/rest-service.mjs';

const rest = await startDemoService();
afterAll(() => rest.close());
beforeEach(() => {
  rest.behave();
  rest.calls.length = 0;
});

function probe(options: { url?: URL; deadlineMs?: number; now?: () => number } = {}) {
  const created = createProbe(options.url ?? new URL(rest.url), options.deadlineMs, options.now);
  onTestFinished(() => created.close());
  return created;
}

test('any answer shows that the service is there, and no credential is sent for it', async () => {
  const reach = await probe({ url: new URL('/base/', rest.url) }).check();
  expect(reach).toEqual({ kind: 'answered', status: 404, milliseconds: expect.any(Number) });
  expect(rest.calls).toMatchObject([{ method: 'HEAD', path: '/base/' }]);
  expect(Object.keys(rest.calls[0]?.headers ?? {})).toEqual(['host', 'connection']);
});

test('what was found is shared, and kept for five seconds', async () => {
  let time = 0;
  const { check } = probe({ now: () => time });
  const found = await Promise.all([check(), check(), check()]);
  time = 4_999;
  found.push(await check());
  expect(new Set(found).size).toBe(1);
  expect(rest.calls).toHaveLength(1);
  time = 5_000;
  await check();
  expect(rest.calls).toHaveLength(2);
});

test('a service that is back is found again', async () => {
  let time = 0;
  const { check } = probe({ now: () => time });
  rest.misbehave({ kind: 'reset' });
  expect(await check()).toEqual({ kind: 'unreachable', fault: 'connection_reset' });
  time = 5_000;
  expect(await check()).toMatchObject({ kind: 'answered' });
});

test('a service that hangs is not waited for', async () => {
  rest.misbehave({ kind: 'hang' });
  expect(await probe({ deadlineMs: 30 }).check()).toEqual({ kind: 'silent' });
});

test('an address without a listener cannot be reached', async () => {
  const gone = await startDemoService();
  await gone.close();
  expect(await probe({ url: new URL(gone.url) }).check()).toEqual({
    kind: 'unreachable',
    fault: 'connection_refused',
  });
});
