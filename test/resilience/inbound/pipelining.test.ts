import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS, debtors } from '../../support/operations.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';

test('requests of one connection are served one at a time, in their order', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 60 });
  connection.socket.write(postOf(debtors(1)) + postOf(debtors(2)) + postOf('{ __typename }'));
  await eventually(() => expect(statusesIn(connection.text)).toEqual([200, 200, 200]));
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4', '5']);
  expect(connection.text.indexOf('__typename')).toBeGreaterThan(connection.text.lastIndexOf('internalId'));
});

test('a pipelined request is not started before the one in front of it has its answer', async () => {
  const gateway = await freshGateway();
  gateway.rest.misbehave({ kind: 'hang' });
  await openConnection(gateway.url, postOf(debtors(1)) + postOf(debtors(2)));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(1));
  // Another connection is served meanwhile, so there was time to start it.
  expect(codesOf(await gateway.query(debtors(3)))).toEqual([]);
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4', '6']);
});

test('connections that break while requests wait on them give back the places of all', async () => {
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

test('beyond a hundred requests behind one, the connection ends after those that were accepted', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  connection.socket.write(postOf(DEBTORS) + postOf('{ __typename }').repeat(150));
  await connection.closed;
  expect(statusesIn(connection.text)).toEqual(times(101, () => 200));
  expect(connection.text.match(/Connection: close/g)).toHaveLength(1);
});

test('requests that wait are counted, not those that have waited: a connection with a few at a time goes on', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  // Slow enough for the next ones to arrive before it is answered, so that some always wait.
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 15, times: 60 });
  const request = postOf(`${DEBTORS} #${'x'.repeat(3_000)}`);
  // Three in a row, and another one for each answer: far more than may wait, and never more than three at once.
  let sent = 3;
  connection.socket.on('data', () => {
    const answered = statusesIn(connection.text).length;
    for (; sent < Math.min(60, answered + 3); sent += 1) connection.socket.write(request);
  });
  connection.socket.write(request.repeat(3));
  await eventually(() => expect(statusesIn(connection.text)).toEqual(times(60, () => 200)));
  expect(connection.text).not.toContain('Connection: close');
});

test('bodies that wait behind a request are bounded in bytes', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  connection.socket.write(postOf(DEBTORS) + postOf(`{ __typename } #${'x'.repeat(20_000)}`).repeat(10));
  await connection.closed;
  expect(statusesIn(connection.text)).toEqual([200, 200, 200, 200]);
});

test('bytes that are no HTTP behind a request are not answered in place of that request', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  connection.socket.write(`${postOf(DEBTORS)}NO HTTP AT ALL\r\n\r\n`);
  await connection.closed;
  expect(statusesIn(connection.text)).toEqual([200]);
  expect(connection.text).toContain('"internalId":"300001"');
});
