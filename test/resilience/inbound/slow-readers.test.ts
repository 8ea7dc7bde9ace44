import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS } from '../../support/operations.ts';
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
    listen: { downloads: { maxBytes: 50_000_000, windowMs: 60_000, minBytes: 1 } },
  });
  const stalled = await stall(gateway.url, postOf(LARGE));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(4));
  await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
  expect(stalled.destroyed).toBe(false);
});

test('an answer that is not read is cut, and the requests behind it are never served', async () => {
  const gateway = await freshGateway({
    listen: { downloads: { maxBytes: 50_000_000, windowMs: 100, minBytes: 1 } },
  });
  await cut(await stall(gateway.url, postOf(LARGE).repeat(5)));
  expect(gateway.rest.calls).toHaveLength(4);
});

test('answers that are not read make room for others by bytes, and an answer that is read does not', async () => {
  const gateway = await freshGateway({
    listen: { downloads: { maxBytes: 20_000_000, windowMs: 60_000, minBytes: 1 } },
  });
  const stalled: Socket[] = [];
  for (const index of times(3, (number) => number)) {
    const { length } = gateway.rest.calls;
    stalled.push(await stall(gateway.url, postOf(LARGE)));
    await eventually(() => expect(gateway.rest.calls).toHaveLength(length + 4));
    // Its answer is under way once another operation, which came later, has been answered.
    if (index === 0) expect((await gateway.query(DEBTORS)).status).toBe(200);
  }
  const [first, second] = stalled;
  if (!first || !second) throw new Error('there are three');
  await cut(first);
  const read = await gateway.query(LARGE);
  expect(read.text.length).toBeGreaterThan(7_000_000);
  expect(codesOf(read)).toEqual([]);
  await cut(second);
});
