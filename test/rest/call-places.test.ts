import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Cancellation } from '../../src/rest/cancellation.ts';
import { CallPlaces } from '../../src/rest/client/call-places.ts';
import { RestError } from '../../src/rest/errors.ts';

const ADDRESS = '192.0.2.1';

test('a free place goes to the oldest whose owner may take it', async () => {
  const places = new CallPlaces({ running: 4, waiting: 16 }, () => new RestError('OVERLOADED', 'full'));
  const started: string[] = [];
  for (const owner of ['a', 'a', 'b', 'b', 'a', 'c', 'a', 'c'])
    void places.take(owner, new Cancellation())?.then(() => started.push(owner));
  places.release('b');
  places.release('b');
  await undefined;
  // The first that waits is of `a`, which has its half already.
  expect(started).toEqual(['c', 'c']);
  places.release('a');
  await undefined;
  expect(started).toEqual(['c', 'c', 'a']);
});

test('whatever happens, no place is lost, and nobody waits who may run', async () => {
  const step = fc.record({
    owner: fc.constantFrom('a', 'b', ADDRESS),
    ends: fc.nat(9),
    leaves: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const places = new CallPlaces({ running: 4, waiting: 8 }, () => new RestError('OVERLOADED', 'full'));
      const running: string[] = [];
      for (const { owner, ends, leaves } of steps) {
        const cancellation = new Cancellation();
        try {
          const turn = places.take(owner, cancellation);
          if (turn === undefined) running.push(owner);
          else
            turn.then(
              () => running.push(owner),
              () => {},
            );
        } catch {
          expect(places.waiting.held).toBeGreaterThan(0);
        }
        if (leaves) cancellation.abort('closed');
        const [ended] = running.splice(ends, 1);
        if (ended !== undefined) places.release(ended);
        for (let turn = 0; turn < 3; turn += 1) await undefined;
        expect(places.running.held).toBe(running.length);
      }
      for (let next = running.pop(); next !== undefined; next = running.pop()) {
        places.release(next);
        for (let turn = 0; turn < 3; turn += 1) await undefined;
      }
      expect([places.running.held, places.waiting.held]).toEqual([0, 0]);
    }),
    { numRuns: 50 },
  );
});
