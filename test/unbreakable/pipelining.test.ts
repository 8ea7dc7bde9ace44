import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { TestGateway } from '../support/gateway.ts';
import { codesOf, DEBTORS, debtors, eventually, freshGateway, postOf, times } from './support.ts';

/** A connection, and all that was read from it. */
function connection({ url }: TestGateway): Socket & { text: string } {
  const socket = Object.assign(connect(Number(new URL(url).port), '127.0.0.1'), { text: '' });
  socket.setEncoding('latin1').on('error', () => {});
  socket.on('data', (chunk) => {
    socket.text += chunk;
  });
  onTestFinished(() => void socket.destroy());
  return socket;
}

function statuses(text: string): number[] {
  return Array.from(text.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status));
}

/** What a few kilobytes of request become: far more than any buffer of the system holds. */
const LARGE = `{ debtors(administrationId: "1001", first: 2000) { nodes { ${times(150, (index) => `a${index}: name`).join(' ')} } } }`;

test('requests of one connection are served one at a time, in their order', async () => {
  const gateway = await freshGateway();
  const socket = connection(gateway);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 60 });
  socket.write(postOf(debtors(1)) + postOf(debtors(2)) + postOf('{ __typename }'));
  await eventually(() => expect(statuses(socket.text)).toEqual([200, 200, 200]));
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4', '5']);
  expect(socket.text.indexOf('__typename')).toBeGreaterThan(socket.text.lastIndexOf('internalId'));
});

test('a pipelined request is not started before the one in front of it has its answer', async () => {
  const gateway = await freshGateway();
  gateway.rest.misbehave({ kind: 'hang' });
  const socket = connection(gateway);
  socket.write(postOf(debtors(1)) + postOf(debtors(2)));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
  // Another connection is served meanwhile, so there was time to start it.
  expect(codesOf(await gateway.query(debtors(3)))).toEqual([]);
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4', '6']);
});

test('connections that break behind a slow request give all their places back', async () => {
  const gateway = await freshGateway({ handler: { maxOperations: 4 } });
  for (let round = 0; round < 3; round += 1) {
    gateway.rest.misbehave({ kind: 'hang', times: 2 });
    const before = gateway.rest.calls.length;
    const sockets = times(2, () => connection(gateway));
    for (const [index, socket] of sockets.entries()) {
      socket.write(postOf(debtors(index)) + postOf('{ __typename }').repeat(50));
    }
    await eventually(() => expect(gateway.rest.calls).toHaveLength(before + 2));
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await gateway.query('{ __typename }')).status).toBe(200));
    gateway.rest.behave();
  }
  const answers = await Promise.all(times(2, (index) => gateway.query(debtors(index))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('more requests behind one than a client may pipeline end the connection after the others', async () => {
  const gateway = await freshGateway();
  const socket = connection(gateway);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  socket.write(postOf(DEBTORS) + postOf('{ __typename }').repeat(150));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(statuses(socket.text)).toEqual(times(101, () => 200));
  expect(socket.text.match(/Connection: close/g)).toHaveLength(1);
});

test('a client that keeps a few requests waiting may go on for as long as it likes', async () => {
  const gateway = await freshGateway();
  const socket = connection(gateway);
  // Slow enough for the next ones to arrive before it is answered, so that some always wait.
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 15, times: 60 });
  const request = postOf(`${DEBTORS} #${'x'.repeat(3_000)}`);
  // Three in a row, and another one for each answer: far more than may wait, and never more than three at once.
  let sent = 3;
  socket.on('data', () => {
    const answered = statuses(socket.text).length;
    for (; sent < Math.min(60, answered + 3); sent += 1) socket.write(request);
  });
  socket.write(request.repeat(3));
  await eventually(() => expect(statuses(socket.text)).toEqual(times(60, () => 200)));
  expect(socket.text).not.toContain('Connection: close');
});

test('bodies that wait behind a request are bounded in bytes', async () => {
  const gateway = await freshGateway();
  const socket = connection(gateway);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  socket.write(postOf(DEBTORS) + postOf(`{ __typename } #${'x'.repeat(20_000)}`).repeat(10));
  await new Promise((resolve) => socket.once('close', resolve));
  expect(statuses(socket.text)).toEqual([200, 200, 200, 200]);
});

test('what is no HTTP behind a request does not pass for the answer to that request', async () => {
  const gateway = await freshGateway();
  const socket = connection(gateway);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  socket.write(`${postOf(DEBTORS)}NO HTTP AT ALL\r\n\r\n`);
  await new Promise((resolve) => socket.once('close', resolve));
  expect(statuses(socket.text)).toEqual([200]);
  expect(socket.text).toContain('"internalId":"300001"');
});

test('pipelined answers that nobody reads are cut', async () => {
  const gateway = await freshGateway({
    listen: { downloads: { maxBytes: 50_000_000, windowMs: 200, minBytes: 1 } },
  });
  const socket = connection(gateway).pause();
  socket.write(postOf(LARGE).repeat(5));
  await cut(socket);
  // The first answer was never read to its end, so the others were never made.
  expect(gateway.rest.calls).toHaveLength(4);
});

test('answers that are not read give way to others by bytes, and an answer that is read does not', async () => {
  const gateway = await freshGateway({
    listen: { downloads: { maxBytes: 20_000_000, windowMs: 60_000, minBytes: 1 } },
  });
  const stalled = times(3, () => connection(gateway).pause());
  for (const [index, socket] of stalled.entries()) {
    const { length } = gateway.rest.calls;
    socket.write(postOf(LARGE));
    await eventually(() => expect(gateway.rest.calls).toHaveLength(length + 4));
    if (index > 0) continue;
    // Its answer is under way once another operation, which came later, has been answered.
    expect((await gateway.query(DEBTORS)).status).toBe(200);
  }
  const [first, second] = stalled;
  if (!first || !second) throw new Error('there are three');
  await cut(first);
  const read = await gateway.query(LARGE);
  expect(read.text.length).toBeGreaterThan(7_000_000);
  expect(codesOf(read)).toEqual([]);
  await cut(second);
});

/** Until the server has cut a connection that is not read: only writing to it shows that. */
async function cut(socket: Socket): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const poke = setInterval(() => socket.write('\r\n'), 20);
  await closed;
  clearInterval(poke);
}
