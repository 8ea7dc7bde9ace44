import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { memoryLimits } from '../../../src/limits/memory.ts';
import type { Route } from '../../../src/pages/route.ts';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { BEARER, BOTH, freshGateway } from '../../support/gateway.ts';
import { DEBTORS, WRITES } from '../../support/operations.ts';
import { cut, openConnection, postOf, STALLED_BODY } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';

/** A request of a few kilobytes with a response that is larger than any buffer of the system. */
const LARGE = `{ debtors(administrationId: "1001", first: 2000) { nodes { ${times(150, (index) => `a${index}: name`).join(' ')} } } }`;
const PAGE = Buffer.alloc(20_000_000, 'x');
/** Sent in one piece. */
const MEDIUM_PAGE = Buffer.alloc(400_000, 'x');

const pages: Route = ({ url }) => {
  const body = url === '/large' ? PAGE : url === '/medium' ? MEDIUM_PAGE : undefined;
  return body && { status: 200, headers: {}, body };
};
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

/** A connection that sends requests, and reads nothing of what comes. */
async function stall(url: string, requests: string) {
  const { socket } = await openConnection(url);
  socket.pause().write(requests);
  return socket;
}

describe('a response that its client does not read', () => {
  test.each([
    ['a result', postOf(LARGE)],
    ['a page', get('/large')],
  ])('is aborted: %s', async (_what, request) => {
    const gateway = await freshGateway({ handler: { routes: [pages] }, listen: { stalledMs: 100 } });
    await cut(await stall(gateway.url, request));
  });

  test('is aborted if it is one of many on a connection', async () => {
    const gateway = await freshGateway({ handler: { routes: [pages] }, listen: { stalledMs: 100 } });
    const socket = await stall(gateway.url, '');
    // A response waits in the gateway once the kernel takes no more.
    for (let count = 0; count < 40; count += 1) {
      socket.write(get('/medium'));
      await sleep(10);
    }
    await cut(socket);
  });

  test('needs no slot', async () => {
    const gateway = await freshGateway({ handler: { maxOperations: 1 } });
    const stalled = await stall(gateway.url, postOf(LARGE));
    await eventually(() => expect(gateway.rest.calls).toHaveLength(4));
    await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
    expect(stalled.destroyed).toBe(false);
  });

  test('counts towards a limit of bytes, beyond which queries are rejected but not mutations', async () => {
    const memory = { ...memoryLimits(), operationBytes: 27_000_000 };
    const origin = 'https://app.example';
    const gateway = await freshGateway({ gateway: { memory }, handler: { corsOrigins: [origin] } });
    // The service accepts the credential, which from now on counts for itself.
    await gateway.query(DEBTORS);
    const stalled = await stall(gateway.url, postOf(LARGE));
    await eventually(() => expect(gateway.rest.calls).toHaveLength(5));
    await eventually(async () => {
      const refused = await gateway.query(LARGE, {}, { ...BEARER, origin });
      expect(refused.errors).toMatchObject([{ message: 'Too many responses have not been read.' }]);
      expect(refused.headers.get('access-control-allow-origin')).toBe(origin);
      expect(refused.headers.get('retry-after')).toMatch(/^\d$/);
    });
    const [mutation] = WRITES.unmarkTaskCompleted;
    expect(codesOf(await gateway.query(mutation, {}, BOTH))).toEqual([]);
    stalled.destroy();
    await eventually(async () => expect(codesOf(await gateway.query(LARGE))).toEqual([]));
  });
});

test('an operation that waits for the service does not count as a slow reader', async () => {
  // Longer than a busy machine takes to read the request, before which the connection may be cut.
  const gateway = await freshGateway({ listen: { stalledMs: 500 } });
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 1_200 });
  expect((await gateway.query(DEBTORS)).status).toBe(200);
});

describe('bodies that have not arrived completely', () => {
  test('share a limit of bytes, of which one address has three eighths', async () => {
    const memory = { ...memoryLimits(), operationBytes: 4_000_000 };
    const gateway = await freshGateway({ gateway: { memory } });
    const large = STALLED_BODY.replace('90', '500000') + ' '.repeat(400_000);
    const stalled = await Promise.all(times(5, () => openConnection(gateway.url, large)));
    const refused = () => stalled.map(({ text }) => text).filter((text) => text !== '');
    await eventually(() => expect(refused().length).toBeGreaterThan(0));
    expect(refused()[0]).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: [2-6]\r\n[\s\S]*"code":"OVERLOADED"/);
    for (const { socket } of stalled) socket.destroy();
    await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
  });
});
