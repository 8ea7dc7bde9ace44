import { afterAll, beforeEach, expect, test } from 'vitest';
import { probe } from '../../src/rest/client/probe.ts';
import { startDemoService } from '../support/rest-service.mjs';

const rest = await startDemoService();
afterAll(() => rest.close());
beforeEach(() => {
  rest.behave();
  rest.calls.length = 0;
});

test('any response shows that the service is reachable, and the probe sends no credential', async () => {
  expect(await probe(new URL('/base/', rest.url))).toBeUndefined();
  expect(rest.calls).toMatchObject([{ method: 'HEAD', path: '/base/', status: 404 }]);
  expect(Object.keys(rest.calls[0]?.headers ?? {})).toEqual(['host', 'connection']);
});
