import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS, WRITES } from '../../support/operations.ts';
import { times } from '../../support/times.ts';

/** A request on a connection that was idle for longer is lost, as if the service had closed it meanwhile. */
const IDLE_MS = 30;

test.each(Object.entries(WRITES))(
  '%s takes a new connection, so that it never fails on one that the service has closed',
  async (_name, [document, headers]) => {
    const gateway = await freshGateway({ rest: { idleMs: IDLE_MS } });
    for (const pause of [0, IDLE_MS - 5, IDLE_MS, IDLE_MS + 5]) {
      await sleep(pause);
      const before = gateway.rest.calls.length;
      const answers = await Promise.all(times(3, () => gateway.query(document, {}, headers)));
      expect(answers.flatMap(codesOf)).toEqual([]);
      expect(gateway.rest.calls.length - before).toBe(3);
    }
  },
);

test('a write does not take the idle connection of a read', async () => {
  const gateway = await freshGateway({ rest: { idleMs: IDLE_MS } });
  const [document, headers] = WRITES.unmarkTaskCompleted;
  for (let round = 0; round < 2; round += 1) {
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
    await sleep(IDLE_MS + 5);
    expect(codesOf(await gateway.query(document, {}, headers))).toEqual([]);
  }
  expect(gateway.rest.calls).toHaveLength(4);
});
