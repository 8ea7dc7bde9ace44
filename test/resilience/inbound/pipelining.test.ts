import { expect, test } from 'vitest';
import { codesOf } from '../../support/answers.ts';
import { eventually } from '../../support/eventually.ts';
import { freshGateway } from '../../support/gateway.ts';
import { DEBTORS, debtors } from '../../support/operations.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';
import { times } from '../../support/times.ts';

test('requests that come behind another are answered in their order', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 60 });
  connection.socket.write(postOf(debtors(1)) + postOf(debtors(2)) + postOf('{ __typename }'));
  await eventually(() => expect(statusesIn(connection.text)).toEqual([200, 200, 200]));
  expect(connection.text.lastIndexOf('"nodes"')).toBeLessThan(
    connection.text.indexOf('"__typename":"Query"'),
  );
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4', '5']);
});

test('requests that come after each other’s answers share a connection', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  for (const count of [1, 2, 3]) {
    connection.socket.write(postOf(debtors(count)));
    await eventually(() => expect(statusesIn(connection.text)).toEqual(times(count, () => 200)));
  }
  expect(connection.text).not.toMatch(/^Connection: close\r$/im);
});

test('bytes that are no HTTP behind a request end the connection, and are not answered in its place', async () => {
  const gateway = await freshGateway();
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 50 });
  connection.socket.write(`${postOf(DEBTORS)}NO HTTP AT ALL\r\n\r\n`);
  await connection.closed;
  expect(connection.text).toBe('');
});

test('another connection is served while one waits for its answer', async () => {
  const gateway = await freshGateway();
  gateway.rest.misbehave({ kind: 'hang' });
  await openConnection(gateway.url, postOf(debtors(1)) + postOf(debtors(2)));
  await eventually(() => expect(gateway.rest.calls).toHaveLength(2));
  expect(codesOf(await gateway.query(debtors(3)))).toEqual([]);
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4', '5', '6']);
});
