import { expect, test } from 'vitest';
import { COMBINATIONS, combination, manyLists } from '../support/large-plans.ts';
import { startProcess } from '../support/processes.ts';
import { post, sendAll } from '../support/requests.ts';

// That plans are kept within a bound, whatever they are of, is held by test/execution/plan-cache.test.ts.

test('a document in all combinations of its conditions fits into a small heap', async () => {
  const gateway = await startProcess({}, { flags: ['--max-old-space-size=120'] });
  const send = (index: number) => {
    const name = `q${Math.floor(index / COMBINATIONS)}`;
    return post(gateway.url, manyLists(name), undefined, combination(index % COMBINATIONS));
  };
  await sendAll(2 * COMBINATIONS, send);
  expect(gateway.child.exitCode).toBeNull();
});
