import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { memoryLimits } from '../../../src/limits/memory-limits.ts';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { BOTH, freshGateway } from '../../support/gateway.ts';
import { DEBTORS, WRITES } from '../../support/operations.ts';
import { cut, openConnection, postOf } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';

/** What a few kilobytes of request become: far more than any buffer of the system holds. */
const LARGE = `{ debtors(administrationId: "1001", first: 2000) { nodes { ${times(150, (index) => `a${index}: name`).join(' ')} } } }`;

/** Sends requests, and reads nothing of what comes. */
async function stall(url: string, requests: string): Promise<Socket> {
  const { socket } = await openConnection(url);
  socket.pause().write(requests);
  return socket;
}

test('an answer that is not read takes no place among the operations under way', async () => {
  const gateway = await freshGateway({
    handler: { maxOperations: 1 },
  });
  const stalled = await stall(gateway.url, postOf(LARGE));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(4));
  await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
  expect(stalled.destroyed).toBe(false);
});

test('an answer that is not read is cut', async () => {
  const gateway = await freshGateway({ listen: { stalledMs: 100 } });
  await cut(await stall(gateway.url, postOf(LARGE)));
});

test('an operation that waits for the service is not taken for a slow reader', async () => {
  const gateway = await freshGateway({ listen: { stalledMs: 50 } });
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 300 });
  expect((await gateway.query(DEBTORS)).status).toBe(200);
});

test('answers that are not read are bounded together; a mutation is answered all the same', async () => {
  const memory = { ...memoryLimits(), operationBytes: 20_000_000 };
  const gateway = await freshGateway({ gateway: { memory } });
  // From now on its credential counts for itself.
  await gateway.query(DEBTORS);
  const stalled = await stall(gateway.url, postOf(LARGE));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(5));
  await eventually(async () => expect(codesOf(await gateway.query(LARGE))).toEqual(['OVERLOADED']));
  const [mutation, variables] = WRITES.unmarkTaskCompleted;
  expect(codesOf(await gateway.query(mutation, {}, variables ?? BOTH))).toEqual([]);
  stalled.destroy();
  await eventually(async () => expect(codesOf(await gateway.query(LARGE))).toEqual([]));
});
