import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { useGateway } from '../../support/gateway.ts';
import { debtors } from '../../support/operations.ts';
import { openConnection, postOf, statusesIn } from '../../support/sockets.ts';

const gateway = await useGateway();

test('pipelined requests get responses in order on the same connection', async () => {
  const connection = await openConnection(gateway.url);
  gateway.rest.misbehave({ kind: 'delay', milliseconds: 60 });
  connection.socket.write(postOf(debtors(1)) + postOf(debtors(2)) + postOf('{ __typename }'));
  await eventually(() => expect(statusesIn(connection.text)).toEqual([200, 200, 200]));
  expect(connection.text.lastIndexOf('"nodes"')).toBeLessThan(
    connection.text.indexOf('"__typename":"Query"'),
  );
  expect(gateway.calls().map(({ per_page }) => per_page)).toEqual(['4', '5']);
  connection.socket.write(postOf('{ __typename }'));
  await eventually(() => expect(statusesIn(connection.text)).toHaveLength(4));
  expect(connection.text).not.toMatch(/^Connection: close\r$/im);
});
