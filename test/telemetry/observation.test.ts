import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { Observation } from '../../src/telemetry/observation.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('what is told of an operation keeps neither its document nor its text, which a slow reader would hold', async () => {
  const before = usedBytes();
  const observations = Array.from({ length: 20 }, (_, index) => {
    const observed = new Observation('1', undefined);
    const padding = Array.from({ length: 4_000 }, (_item, field) => `a${field}: x${index}`).join(' ');
    observed.setDocument(parse(`query AnOperationWithALongName { ${padding} }`), undefined);
    return observed;
  });
  // WeakMaps let go of their values in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(usedBytes() - before).toBeLessThan(1_000_000);
  expect(observations.map(({ type, name }) => [type, name])).toEqual(
    Array(20).fill(['query', 'AnOperationWithALongName']),
  );
  expect(new Set(observations.map(({ documentHash }) => documentHash)).size).toBe(20);
});

test('calls are counted at once, and none is kept for as long as a stream lasts', async () => {
  const observed = new Observation('1', undefined);
  const calls = new WeakRef(addCall(observed));
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(calls.deref()).toBeUndefined();
  expect(observed.counts).toMatchObject({ sent: 1, rows: 3, bytes: 50 });
});

function addCall(observed: Observation): readonly object[] {
  const call = { method: 'GET', path: '/v1/debtors', parameters: {} } as const;
  const calls = [{ call, source: 'network', status: 200, milliseconds: 1, bytes: 50, rows: 3 } as const];
  observed.addCalls(calls, 1);
  return calls;
}

function usedBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
