import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS, debtors } from '../../support/operations.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';
import { withResolver } from '../../support/with-resolver.ts';

test('a request that comes behind another is not run, and the answer in front of it closes the connection', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 60 });
  connection.socket.write(postOf(debtors(1)) + postOf(debtors(2)) + postOf('{ __typename }'));
  await connection.closed;
  expect(statusesIn(connection.text)).toEqual([200]);
  expect(connection.text).toMatch(/^Connection: close\r$/m);
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4']);
});

test('requests that come after each other’s answers share a connection', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  for (const count of [1, 2, 3]) {
    connection.socket.write(postOf(debtors(count)));
    await eventually(() => expect(statusesIn(connection.text)).toEqual(times(count, () => 200)));
  }
  expect(connection.text).not.toMatch(/^Connection: close\r$/m);
});

test('connections that break in front of further requests give their places back', async () => {
  const gateway = await freshGateway({ handler: { maxOperations: 4 } });
  for (let round = 0; round < 3; round += 1) {
    gateway.rest.misbehave({ kind: 'hang', times: 2 });
    const before = gateway.rest.calls.length;
    const connections = await Promise.all(
      times(2, (index) =>
        openConnection(gateway.url, postOf(debtors(index)) + postOf('{ __typename }').repeat(50)),
      ),
    );
    await eventually(() => expect(gateway.rest.calls).toHaveLength(before + 2));
    for (const { socket } of connections) socket.destroy();
    await eventually(async () => expect((await gateway.query('{ __typename }')).status).toBe(200));
    gateway.rest.behave();
  }
  const answers = await Promise.all(times(2, (index) => gateway.query(debtors(index))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('a client that leaves is noticed although more has come than is read', async () => {
  const gateway = await freshGateway({ handler: { maxOperations: 2 } });
  gateway.rest.misbehave({ kind: 'hang', times: 1 });
  const connection = await openConnection(gateway.url, postOf(DEBTORS).repeat(500));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
  // It has one of two places, so that nobody else gets one.
  expect((await gateway.query(DEBTORS)).status).toBe(503);
  connection.socket.destroy();
  await eventually(async () => expect((await gateway.query(DEBTORS)).status).toBe(200));
});

test('a large answer arrives whole although the client sends on, and then closes late', async () => {
  const gateway = await freshGateway();
  const { promise: until, resolve } = withResolver();
  gateway.rest.misbehave({ kind: 'stale', until });
  const connection = await openConnection(gateway.url);
  connection.socket.pause();
  connection.socket.write(
    postOf(`{ debtors(administrationId: "1001", first: 2000) { nodes { ${LARGE} } } }`),
  );
  await eventually(() => expect(gateway.rest.calls.length).toBeGreaterThan(0));
  connection.socket.write(postOf('{ __typename }').repeat(2_000));
  resolve();
  connection.socket.resume();
  await connection.closed;
  const [, length = 0] = /^Content-Length: (\d+)/m.exec(connection.text) ?? [];
  expect(Number(length)).toBeGreaterThan(4_000_000);
  expect(connection.text.length - connection.text.indexOf('\r\n\r\n') - 4).toBe(Number(length));
});

const LARGE = times(120, (index) => `a${index}: name`).join(' ');

test('bytes that are no HTTP behind a request are not answered in place of that request', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  connection.socket.write(`${postOf(DEBTORS)}NO HTTP AT ALL\r\n\r\n`);
  await connection.closed;
  expect(statusesIn(connection.text)).toEqual([200]);
  expect(connection.text).toContain('"internalId":"300001"');
});

test('another connection is served while one waits for its answer', async () => {
  const gateway = await freshGateway();
  gateway.rest.misbehave({ kind: 'hang' });
  await openConnection(gateway.url, postOf(debtors(1)) + postOf(debtors(2)));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
  expect(codesOf(await gateway.query(debtors(3)))).toEqual([]);
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4', '6']);
});
