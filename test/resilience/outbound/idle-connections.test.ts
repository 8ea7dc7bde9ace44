import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS, WRITES } from '../../support/operations.ts';

/** A request on a connection that was idle for longer is lost, as if the service had closed it meanwhile. */
const IDLE_MS = 30;

test.each(Object.entries(WRITES))(
  '%s takes a new connection, so that it never fails on one that the service has closed',
  async (_name, [document, headers]) => {
    const gateway = await freshGateway({ rest: { idleMs: IDLE_MS } });
    expect(codesOf(await gateway.query(DEBTORS))).toEqual([]);
    for (let write = 0; write < 2; write += 1) {
      await sleep(IDLE_MS + 5);
      expect(codesOf(await gateway.query(document, {}, headers))).toEqual([]);
    }
    expect(gateway.rest.calls).toHaveLength(3);
  },
);
