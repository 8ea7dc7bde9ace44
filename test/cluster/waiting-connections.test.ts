import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { WaitingConnections } from '../../src/server/workers/dispatcher.ts';
import { times } from '../support/times.ts';

function socketFrom(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

test('connections wait in their order, addresses by turns', () => {
  const waiting = new WaitingConnections();
  const [a1, a2, a3] = times(3, () => socketFrom('10.0.0.1'));
  const b = socketFrom('10.0.0.2');
  for (const socket of [a1, a2, a3, b]) if (socket) waiting.add(socket);
  expect(times(5, () => waiting.take())).toEqual([a1, b, a2, a3, undefined]);
});

test('beyond the limit, the oldest of the address that has most is closed', () => {
  const waiting = new WaitingConnections(4);
  const flood = times(6, () => socketFrom('10.0.0.1'));
  const others = ['10.0.0.2', '10.0.0.3'].map(socketFrom);
  for (const socket of [...flood, ...others]) waiting.add(socket);
  expect(flood.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, false, false]);
  expect(others.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  expect(waiting.size).toBe(4);
  waiting.closeAll();
  expect([waiting.size, [...flood, ...others].every(({ destroyed }) => destroyed)]).toEqual([0, true]);
});
