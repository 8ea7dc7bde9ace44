import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS, WRITES } from '../../support/operations.ts';

test.each(Object.entries(WRITES))('%s uses a new connection', async (_name, [document, headers]) => {
  const gateway = await freshGateway();
  expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
  for (const _time of [1, 2]) expect(codesOf(await gateway.query(document, {}, headers))).toEqual([]);
  expect(new Set(gateway.rest.calls.map(({ port }) => port)).size).toBe(3);
});
