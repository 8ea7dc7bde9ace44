import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { Follower } from '../../src/changes/follower.ts';
import { ChangeStream } from '../../src/changes/stream.ts';
import { ChangeDelivery } from '../../src/changes/walk-changes.ts';
import { fieldsOf } from '../../src/rest/fields.ts';
import type { Row } from '../../src/rest/resource.ts';
import { DECODED_TEXT } from '../../src/rest/wire-text.ts';
import { source } from '../changes/source.ts';
import { times } from '../support/times.ts';

const STAMP = '2026-01-01T00:00:00Z';
const fields = fieldsOf(['name']);

/** A stream that nobody reads, which counts what it keeps. */
function openStream() {
  let counted = 0;
  const hold = (bytes: number) => {
    counted += bytes;
  };
  const stream = new ChangeStream({ administrationId: '1001', hold, onClose() {} });
  const follower = new Follower(stream, { source, fields }, { mark: 0 });
  follower.mark = Date.parse(STAMP) - 1;
  return { stream, follower, counted: () => counted };
}

/** Tells pages of rows, each as it comes from the service. */
async function tell(follower: Follower, pages: readonly (() => unknown)[]): Promise<void> {
  const delivery = new ChangeDelivery([{ fields, followers: [follower] }], {
    source,
    administrationId: '1001',
    session: { text: DECODED_TEXT, owner: 'owner' },
    walk: 1,
    mark: 0,
    lookbackMs: 60_000,
    caller: { dropCached: () => undefined },
  });
  for (const page of pages) {
    const rows: Row[] = JSON.parse(JSON.stringify(page()));
    await delivery.send({ rows, bytes: 0, start: Date.parse(STAMP) });
  }
  follower.sent?.count();
}

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  onTestFinished(() => setFlagsFromString('--no-expose-gc'));
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

const long = 'ł'.repeat(990);
const LARGE = 4_000_000;
const row = (id: string, name = 'a', updated_at = STAMP) => ({ id, name, updated_at });

test.each<[what: string, pages: readonly (() => unknown)[], areRead: boolean]>([
  ['events that wait', times(40, (page) => () => times(500, (at) => row(`${page} ${at}`))), false],
  ['events with long ids', times(6, (page) => () => times(500, (at) => row(`${long} ${page} ${at}`))), false],
  [
    'an event with a large record, beside old ones',
    [
      () => [
        ...times(499, (at) => row(String(at), 'a', '2025-01-01T00:00:00Z')),
        row('x', 'a'.repeat(LARGE)),
      ],
    ],
    false,
  ],
  ['what was told', times(80, (page) => () => times(500, (at) => row(`${page} ${at}`))), true],
  [
    'what was told, with long ids',
    times(20, (page) => () => times(500, (at) => row(`${long} ${page} ${at}`))),
    true,
  ],
  [
    'what was told again and again',
    times(160, (page) => () => times(500, (at) => row(String(at + 500 * (page % 20)), String(page)))),
    true,
  ],
])('%s is counted as what it takes', async (_what, pages, areRead) => {
  const { stream, follower, counted } = openStream();
  const before = usedBytes();
  await tell(follower, pages);
  if (areRead) {
    while (stream.takeNow() !== undefined);
    // Whoever waits for the next has sent all that was taken.
    void stream.next();
  }
  const used = usedBytes() - before;
  // What else is in the heap may grow a little meanwhile.
  expect({ used, counted: counted() }).toEqual({
    used,
    counted: expect.toSatisfy((bytes) => bytes > 0.8 * used - 500_000 && bytes < 2 * used + 500_000),
  });
  expect(follower.isGone).toBe(false);
});
